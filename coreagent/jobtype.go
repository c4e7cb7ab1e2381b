package coreagent

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// typed is the handler of a job with a Type.
type typed struct {
	Handler
	name  string
	valid func() error
}

func (h typed) jobType() string { return h.name }

// jobProps is empty, because the job's own properties configure the type.
func (h typed) jobProps() map[string]string { return nil }

// handler returns h, or the handler of the job's type.
func (cfg Config) handler(job Job, h Handler) (Handler, error) {
	switch {
	case job.Type == "" && h == nil:
		return nil, errors.New("the handler is nil, and Type is empty")
	case job.Type == "":
		return h, nil
	case h != nil:
		return nil, fmt.Errorf("Type: %q has its own handler; add the job with a nil handler", job.Type)
	case job.Type == jobconfig.TypeScript:
		own := script{job.Props[jobconfig.PropCommandLine]}
		return typed{own, jobconfig.TypeScript, own.check}, nil
	case job.Type == jobconfig.TypeHTTP:
		own := httpCall{HTTPRequest{URL: job.Props[jobconfig.PropURI], Method: job.Props[jobconfig.PropMethod]}}
		return typed{own, jobconfig.TypeHTTP, own.check}, nil
	}
	if own, ok := cfg.Types[job.Type]; ok {
		return typed{own, job.Type, func() error { return nil }}, nil
	}
	return nil, fmt.Errorf("Type: Cannot find executor for elastic job type '%s'. Allowed types: %s",
		job.Type, strings.Join(append([]string{jobconfig.TypeHTTP, jobconfig.TypeScript}, slices.Sorted(maps.Keys(cfg.Types))...), ", "))
}

func (h typed) check() error { return h.valid() }
