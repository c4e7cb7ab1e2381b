package requested

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// requestNames are the keys of a request, batchNames of a request in a batch. An unknown key is refused,
// because with a misspelt word a run would begin at once, or without parameters.
var (
	requestNames = []string{"params", "delay", "notBefore", "shards", "overlap", "expiry", "note", "fireTime", "manual"}
	batchNames   = append(slices.Clone(requestNames), "key")
)

// readRequest reads the body and the key of a request. An absent body is a run at once, of all
// shards, without parameters.
func readRequest(c *gin.Context) (r jobrun.Request, err error) {
	var keys map[string]json.RawMessage
	if c.Request.ContentLength != 0 {
		if err := app.ReadJSON(c, &keys); err != nil {
			return r, err
		}
	}
	if r, err = requestOf(&api.RunRequest{}, keys, requestNames); err != nil {
		return r, err
	}
	r.Key, err = app.IdempotencyKey(c)
	return r, err
}

// requestOf reads a request from its keys. Only the keys in names are allowed.
func requestOf(in *api.RunRequest, keys map[string]json.RawMessage, names []string) (r jobrun.Request, err error) {
	var wrong problems
	for _, name := range view.SortedKeys(keys) {
		switch {
		case !slices.Contains(names, name):
			wrong.add(view.Clip(name, 40), "", "no such key: a request has "+strings.Join(names, ", "))
		case string(keys[name]) == `""`:
			wrong.add(name, "", "a text that isn't empty; leave the key out for none")
		}
	}
	if err := wrong.err(); err != nil {
		return r, err
	}
	whole, err := json.Marshal(keys)
	if err == nil {
		err = json.Unmarshal(whole, in)
	}
	if err != nil {
		return r, app.Malformed("The body is not the JSON object expected here.", err.Error())
	}
	r = jobrun.Request{
		Params: paramsOf(keys["params"]), Shards: in.Shards, Overlap: jobrun.Overlap(in.Overlap), Note: strings.TrimSpace(in.Note), Manual: in.Manual,
		Delay: wrong.span("delay", in.Delay), NotBefore: wrong.moment("notBefore", in.NotBefore), FireTime: wrong.moment("fireTime", in.FireTime),
	}
	switch {
	case in.Expiry == "-1":
		r.Expiry = -1
	case in.Expiry != "":
		if r.Expiry = wrong.span("expiry", in.Expiry); r.Expiry < 0 {
			wrong.add("expiry", in.Expiry, wantSpan)
		}
	}
	if in.Shards != nil && len(in.Shards) == 0 {
		wrong.add("shards", "", "numbers of shards; leave it out for all")
	}
	return r, wrong.err()
}

// paramsOf are parameters of a body; null are none.
func paramsOf(params json.RawMessage) json.RawMessage {
	if string(params) == "null" {
		return nil
	}
	return params
}

// readReason reads the reason of a cancel. The body may be absent.
func readReason(c *gin.Context) (string, error) {
	var in api.CancelRequest
	if c.Request.ContentLength != 0 {
		if err := app.ReadJSON(c, &in); err != nil {
			return "", err
		}
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := app.CheckReason(in.Reason); p != nil {
		return "", p
	}
	return in.Reason, nil
}

// problems are the fields of a request that are refused.
type problems []app.FieldBody

func (p *problems) add(field, value, want string) {
	*p = append(*p, app.FieldBody{Field: field, Value: view.Clip(value, 60), Want: want})
}

// err is the refusal of the request, nil without problems.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return app.WrongRequest(p)
}

// moment reads a time; empty is none.
func (p *problems) moment(field, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.add(field, text, "a time as in RFC 3339, such as 2026-11-22T02:30:00Z")
	}
	return t
}

const wantSpan = "a length of time, such as 5m or 24h"

// span reads a length of time; empty is none.
func (p *problems) span(field, text string) time.Duration {
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 && field == "expiry" { // 0 would mean the job's configuration
		p.add(field, text, wantSpan)
	}
	return d
}
