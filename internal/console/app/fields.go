package app

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// FieldBody is [api.FieldBody].
type FieldBody = api.FieldBody

// FieldBodies are fields for an answer, never nil, without values that may be
// secrets.
func FieldBodies(fields []*jobconfig.FieldError) []FieldBody {
	list := make([]FieldBody, 0, len(fields))
	for _, f := range fields {
		list = append(list, FieldBody{Field: f.Field, Value: mask.Value(f.Field, view.Clip(f.Value, 200)), Want: view.Clip(f.Want, 2*jobtree.MaxShown)})
	}
	return list
}

// ConfigWarnings are about fields of a stored configuration that could not be
// written like this here. Guests see no values: a parameter may be a secret.
func ConfigWarnings(job statistics.JobDetail, operates bool) []FieldBody {
	if job.Config == nil {
		return []FieldBody{}
	}
	warnings := FieldBodies(lifecycle.ConfigWarnings(job.Config))
	if !operates {
		for i := range warnings {
			warnings[i].Value = ""
		}
	}
	return warnings
}
