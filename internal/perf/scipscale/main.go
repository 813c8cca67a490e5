// Command scipscale makes a large SCIP index of a small one: it repeats the
// index under other paths and in other packages. The sources, to be given to
// import --source, are copied by hand into the folders copy0, copy1, ….
//
//	scipscale PACKAGE COPIES <small.scip >large.scip
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: scipscale PACKAGE COPIES <small.scip >large.scip")
	}
	copies, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(os.Stdout)
	for i := range copies {
		index := new(pb.Index)
		if err := proto.Unmarshal(input, index); err != nil {
			log.Fatal(err)
		}
		folder := fmt.Sprintf("copy%d", i)
		rename := func(symbol *string) {
			*symbol = strings.ReplaceAll(*symbol, os.Args[1], folder+"/"+os.Args[1])
		}
		for _, d := range index.Documents {
			if !strings.HasPrefix(d.RelativePath, "..") {
				d.RelativePath = folder + "/" + d.RelativePath
			}
			for _, o := range d.Occurrences {
				rename(&o.Symbol)
			}
			for _, s := range d.Symbols {
				rename(&s.Symbol)
				for _, r := range s.Relationships {
					rename(&r.Symbol)
				}
			}
		}
		if i > 0 {
			index.Metadata = nil
		}
		message, err := proto.Marshal(index)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := out.Write(message); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
