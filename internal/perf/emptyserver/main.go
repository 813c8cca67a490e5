// Emptyserver is a peer of brick-mcp: a server of mcp-go with nothing in it.
package main

import (
	"log"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if err := server.ServeStdio(server.NewMCPServer("empty", "1", server.WithToolCapabilities(false))); err != nil {
		log.Fatal(err)
	}
}
