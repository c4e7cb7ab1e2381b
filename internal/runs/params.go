package runs

import (
	"encoding/json"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// MaxParams bounds the parameters of a run, in bytes of JSON. Next to Java agents the bound is
// lower, because they keep the whole job in memory.
const (
	MaxParams         = runparams.MaxParams
	maxParamsWithJava = 8 << 10
)

// canonical brings the parameters of a request into the form that is compared for the same
// idempotency key.
func canonical(r jobrun.Request) jobrun.Request {
	r.Params = runparams.Canonical(r.Params)
	return r
}

// CheckParams checks that parameters are empty or one JSON object without duplicate keys.
func CheckParams(params json.RawMessage) error { return runparams.CheckJSON(params) }
