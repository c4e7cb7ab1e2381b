package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// doctorCommand is `elasticjob doctor`. It changes nothing.
type doctorCommand struct {
	JSON    bool   `name:"json" help:"Print the findings as a list in JSON."`
	Config  string `required:"" placeholder:"FILE" help:"The job file to check, and with it the ZooKeeper and the trace database that it names."`
	DSN     string `name:"dsn" placeholder:"DSN" variable:"" help:"The trace database, instead of the data source in the file."`
	DSNFile string `name:"dsn-file" placeholder:"FILE" variable:"" help:"A file with the value of --dsn."`

	Access cli.ZooKeeperFlags `embed:"" prefix:"zookeeper-"`
}

func (c *doctorCommand) Run(p *cli.Process) error {
	ctx, cancel := context.WithTimeout(p.Ctx, doctor.Limit)
	defer cancel()
	quiet := *p
	quiet.Log = slog.New(slog.DiscardHandler)
	list, err := c.jobFile(ctx, &quiet)
	if err != nil {
		return err
	}
	return cli.Findings(p, list, c.JSON)
}

// jobFile checks a job file, its ZooKeeper and its trace database.
func (c *doctorCommand) jobFile(ctx context.Context, p *cli.Process) ([]doctor.Finding, error) {
	agent := agentCommand{Config: c.Config, Access: c.Access, DSN: c.DSN, DSNFile: c.DSNFile}
	plan, err := agent.read(p)
	if wrong, ok := errors.AsType[*jobfile.Error](err); ok {
		var list []doctor.Finding
		for _, problem := range wrong.Problems {
			list = append(list, doctor.Problem(doctor.Error, problem))
		}
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	list := append(plan.findings(time.Now()), plan.registry(ctx, true)...)
	if plan.dsn == "" {
		return list, nil
	}
	return append(list, doctor.Database(ctx, plan.dsn)...), nil
}

// registry checks the ZooKeeper of a job file.
func (plan *agentPlan) registry(ctx context.Context, thorough bool) []doctor.Finding {
	at := plan.file.Config.ZooKeeper
	namespace, err := jobtree.NewNamespace(plan.file.Config.Namespace)
	if err != nil {
		return nil // The file was refused.
	}
	return doctor.ZooKeeper(ctx, zk.Config{
		Servers: at.Servers, Digest: at.Digest, ACL: zk.ACL(at.ACL), TLS: at.TLS, SessionTimeout: at.SessionTimeout,
	}, namespace, thorough)
}

// examine logs the findings of an agent, in the background. The agent itself logs an open registry,
// and its recorder the faults of the trace tables.
func (a *agentProcess) examine(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), doctor.Limit)
	plan, file := *a.plan, *a.plan.file // A reload replaces the agent's plan.
	plan.file = &file
	if at := &file.Config.ZooKeeper; at.Digest == "" && at.ACL == "" {
		at.ACL = string(zk.ACLOpen)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		doctor.LogAll(ctx, a.p.Log, append(plan.findings(time.Now()), plan.registry(ctx, false)...))
	}()
	a.cleanups.Add("stop the doctor", 5*time.Second, func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}
