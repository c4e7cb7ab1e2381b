package runs

import (
	"encoding/json"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// MaxParams bounds the parameters of a run, in bytes of JSON; beside agents of Java,
// which keep the whole job in memory, they may be less.
const (
	MaxParams       = runparams.MaxParams
	maxParamsBeside = 8 << 10
)

// canonical gives the parameters of a request the form in which requests with the same
// idempotency key are compared.
func canonical(r jobrun.Request) jobrun.Request {
	r.Params = runparams.Canonical(r.Params)
	return r
}

// CheckParams checks that parameters are one JSON object without a key that stands
// there twice. None at all are fine.
func CheckParams(params json.RawMessage) error { return runparams.CheckJSON(params) }
