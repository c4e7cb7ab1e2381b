package main

import (
	"fmt"
	"os"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// demoAgentCommand is the process that `console demo` starts three times. It
// ends with a signal or with its standard input.
type demoAgentCommand struct {
	Zookeeper      []string      `required:"" help:"The registry."`
	Namespace      string        `required:"" help:"The namespace."`
	SessionTimeout time.Duration `default:"5s" help:"Session timeout asked of ZooKeeper."`
	Address        string        `required:"" help:"The address to announce."`
	DSN            string        `name:"dsn" required:"" help:"The trace database."`
	Shop           string        `required:"" help:"The address of the shop."`
}

func (c *demoAgentCommand) Run(p *cli.Process) error {
	return demo.RunAgent(p.Ctx, demo.AgentOptions{
		ZooKeeper: c.Zookeeper, Namespace: c.Namespace, SessionTimeout: c.SessionTimeout,
		Address: c.Address, DSN: c.DSN, Shop: c.Shop, Life: os.Stdin,
		// The fleet reads this line as the sign that the agent serves.
		Started: func() { fmt.Fprintln(p.Stdout, "started") },
		Logger:  p.Log,
	})
}
