package main

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// registryCommand is `elasticjob registry`.
type registryCommand struct {
	Listen string `default:"127.0.0.1:2181" placeholder:"HOST:PORT" help:"Where the registry listens; port 0 picks a free one. Only a loopback address is allowed."`
}

func (c *registryCommand) Run(p *cli.Process) error {
	registry, err := cli.StartRegistry(p.Ctx, "--listen", c.Listen, time.Second, p.Log)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "A development tool: this registry keeps nothing, asks for no password and is for this machine only.\nzookeeper %s\n", registry.Addr)
	<-p.Ctx.Done()
	return registry.Close()
}
