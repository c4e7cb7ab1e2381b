package coreagent

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Dataflow is a [Handler] that fetches data and processes it, ElasticJob's DATAFLOW job.
//
// Without streaming each run fetches and processes once. With streaming a run continues until a
// fetch returns nothing or the context ends. It also ends after the current data if the shards are
// assigned again, the agent stops, or the job leaves it.
type Dataflow[T any] struct {
	// Fetch returns the next data of a shard. No data ends the run.
	Fetch func(ctx context.Context, s *Shard) ([]T, error)
	// Process processes the fetched data. It's not called without data.
	Process func(ctx context.Context, s *Shard, data []T) error
	// Streaming is the initial value of the job property streaming.process; the stored configuration decides.
	Streaming bool
}

// Handle runs one shard.
func (d Dataflow[T]) Handle(ctx context.Context, s *Shard) error {
	streaming := strings.EqualFold(s.Props[jobconfig.PropStreaming], "true")
	for {
		data, err := d.Fetch(ctx, s)
		if err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
		if len(data) == 0 {
			return nil
		}
		if err := d.Process(ctx, s, data); err != nil {
			return fmt.Errorf("process: %w", err)
		}
		if ending := core.CallOf(s).Ending; !streaming || ending != nil && ending() {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func (d Dataflow[T]) jobType() string { return "" }
func (d Dataflow[T]) jobProps() map[string]string {
	return map[string]string{jobconfig.PropStreaming: strconv.FormatBool(d.Streaming)}
}
func (d Dataflow[T]) check() error {
	if d.Fetch == nil || d.Process == nil {
		return errors.New("Dataflow: Fetch and Process are both needed")
	}
	return nil
}
