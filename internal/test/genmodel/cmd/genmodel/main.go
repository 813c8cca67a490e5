// Genmodel writes a Brick JSON model of any size, for measuring: see package
// genmodel for what is in it.
//
//	genmodel -functions 500000 -seed 7 > model.json
package main

import (
	"flag"
	"fmt"
	"os"

	"brick/internal/test/genmodel"
)

func main() {
	functions := flag.Int("functions", 27_610, "how many functions and methods; 330,000 make about 1 GB")
	seed := flag.Uint64("seed", 1, "another seed gives another model of the same size")
	published := flag.Bool("published", false, "100,000 nodes, 212,000 edges, a hub with 18,432 callers and 34,564 nodes in its depth-2 impact")
	flag.Parse()
	c := genmodel.Config{Functions: *functions, Seed: *seed}
	if *published {
		c = genmodel.Published()
		c.Seed = *seed
	}
	if err := genmodel.Write(os.Stdout, c); err != nil {
		fmt.Fprintln(os.Stderr, "genmodel:", err)
		os.Exit(1)
	}
}
