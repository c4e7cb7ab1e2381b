//go:build interop

package interop

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// flowClass is the class of the dataflow job; those of SCRIPT and HTTP are
// their types.
const flowClass = "elasticjob.interop.ReportingFlow"

// handler returns the job's work by its kind, as the Java program has it.
func (o *options) handler() coreagent.Handler {
	props := o.job.Props
	switch o.kind {
	case "DATAFLOW":
		o.job.Class = flowClass
		return reportingFlow(props["streaming.process"] == "true")
	case "SCRIPT":
		o.job.Class = ""
		return coreagent.Script(props["script.command.line"])
	case "HTTP":
		o.job.Class = ""
		return coreagent.HTTP(coreagent.HTTPRequest{
			URL: props["http.uri"], Method: props["http.method"], Data: props["http.data"],
		})
	}
	return o.reportingJob()
}

// reportingJob reports, works for a while, and reports again.
func (o *options) reportingJob() coreagent.Handler {
	return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		report("START item=%d at=%d task=%s parameter=%s job=%s total=%d", s.Item, time.Now().UnixMilli(), s.TaskID, s.Parameter, s.JobParameter, s.Total)
		timer := time.NewTimer(o.work)
		defer timer.Stop()
		end := "END"
		select {
		case <-timer.C:
		case <-ctx.Done():
			end = "INTERRUPTED"
		}
		report("%s item=%d at=%d task=%s", end, s.Item, time.Now().UnixMilli(), s.TaskID)
		if s.Item == o.failing {
			return errors.New("planned failure" + strings.Repeat(" word", o.failWords))
		}
		return context.Cause(ctx)
	})
}

// reportingFlow has three batches of two texts in store for each run of a
// shard.
func reportingFlow(streaming bool) coreagent.Handler {
	var mu sync.Mutex
	left := make(map[int]int)
	return coreagent.Dataflow[string]{
		Streaming: streaming,
		Fetch: func(_ context.Context, s *coreagent.Shard) ([]string, error) {
			mu.Lock()
			defer mu.Unlock()
			batch, begun := left[s.Item]
			if batch--; !begun {
				batch = 2
			}
			left[s.Item] = batch
			report("FETCH item=%d batch=%d", s.Item, batch)
			if batch < 0 {
				delete(left, s.Item)
				return nil, nil
			}
			return []string{"first", "second"}, nil
		},
		Process: func(_ context.Context, s *coreagent.Shard, data []string) error {
			report("PROCESS item=%s data=%s", strconv.Itoa(s.Item), strings.Join(data, ","))
			return nil
		},
	}
}

// onceReporter reports the beginning and the end of each run of all shards.
type onceReporter struct{}

func (onceReporter) Started(context.Context, *coreagent.LocalRun) error {
	report("ALLSTARTED at=%d", time.Now().UnixMilli())
	return nil
}

func (onceReporter) Completed(context.Context, *coreagent.LocalRun) error {
	report("ALLCOMPLETED at=%d", time.Now().UnixMilli())
	return nil
}
