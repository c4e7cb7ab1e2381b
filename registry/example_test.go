package registry_test

import (
	"context"
	"fmt"
	"log"

	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// Open a namespace with the same settings as its agents.
func Example() {
	server, err := coreagenttest.Listen() // yours is a ZooKeeper
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	reg, err := registry.Open(context.Background(), registry.Config{
		Namespace: "billing",
		ZooKeeper: registry.ZooKeeper{Servers: []string{server.Addr()}, ACL: "open"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reg.Namespace(), "connected:", reg.Connected())
	if err := reg.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: billing connected: true
}
