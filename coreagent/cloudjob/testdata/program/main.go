// The program that the tests of package cloudjob build and start.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
)

func main() {
	cloudjob.Main(coreagent.HandlerFunc(handle))
}

func handle(ctx context.Context, s *coreagent.Shard) error {
	s.Log.Info("begins")
	switch os.Args[1] {
	case "print":
		return json.NewEncoder(os.Stdout).Encode(map[string]any{
			"job": s.Job, "item": s.Item, "total": s.Total, "parameter": s.Parameter, "jobParameter": s.JobParameter, "task": s.TaskID,
			"at": s.ScheduledAt, "source": s.Source, "token": s.FencingToken, "props": s.Props,
			"run": s.Run.ID, "attempt": s.Run.Attempt, "params": string(s.Run.Params),
		})
	case "fail":
		return errors.New("the ledger of " + s.Parameter + " is closed, password=geheim")
	case "permanent":
		return coreagent.Permanent(errors.New("no such month"))
	case "skip":
		return coreagent.SkipRun("nothing to do")
	case "snooze":
		return coreagent.Snooze(1)
	case "panic":
		var none map[string]int
		none["a"]++
	case "goexit":
		runtime.Goexit()
	case "wait", "finish":
		fmt.Println("ready")
		<-ctx.Done()
		if os.Args[1] == "wait" {
			return context.Cause(ctx)
		}
	case "stubborn":
		fmt.Println("ready")
		<-ctx.Done()
		fmt.Println("asked to end")
		select {}
	}
	return nil
}
