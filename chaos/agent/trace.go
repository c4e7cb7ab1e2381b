package main

import (
	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// countedRecorder records which rows the history must have.
type countedRecorder struct {
	tracing.RunRecorder
	book *ledger.Writer
}

func (r *countedRecorder) RecordExecution(e tracing.Execution) {
	mustWrite(r.book, ledger.Record{
		What: ledger.Row, ID: e.ID, Job: e.JobName, Item: e.Item, Source: string(e.Source),
		Complete: !e.CompleteTime.IsZero(), Success: e.Success,
	})
	r.RunRecorder.RecordExecution(e)
}
