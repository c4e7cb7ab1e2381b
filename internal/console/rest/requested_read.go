package rest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// requestNames are the keys of a request, as its type has them. One that nobody knows
// is refused: with a word misspelt a run would begin at once, or without parameters.
var requestNames = []string{"params", "delay", "notBefore", "shards", "overlap", "expiry", "note", "fireTime", "manual"}

// readRequest reads the body and the key of a request. An absent body is a run at once, of all
// shards, without parameters.
func readRequest(c *gin.Context, in *api.RunRequest) (r jobrun.Request, err error) {
	var keys map[string]json.RawMessage
	if c.Request.ContentLength != 0 {
		if err := console.ReadJSON(c, &keys); err != nil {
			return r, err
		}
	}
	if r, err = requestOf(in, keys, requestNames); err != nil {
		return r, err
	}
	r.Key, err = idempotencyKey(c)
	return r, err
}

// idempotencyKey returns the key of a request, empty if there is none.
func idempotencyKey(c *gin.Context) (string, error) {
	const name = "Idempotency-Key"
	key := c.GetHeader(name)
	if _, there := c.Request.Header[name]; there && key == "" {
		return "", wrongRequest([]console.FieldBody{{Field: name, Want: "a text that isn't empty; leave the header out for none"}})
	}
	return key, nil
}

// requestOf reads a request from its keys. Only the keys in names are allowed.
func requestOf(in *api.RunRequest, keys map[string]json.RawMessage, names []string) (r jobrun.Request, err error) {
	var problems requestProblems
	for _, name := range view.SortedKeys(keys) {
		switch {
		case !slices.Contains(names, name):
			problems.add(view.Clip(name, 40), "", "no such key: a request has "+strings.Join(names, ", "))
		case string(keys[name]) == `""`:
			problems.add(name, "", "a text that isn't empty; leave the key out for none")
		}
	}
	if len(problems) > 0 {
		return r, wrongRequest(problems)
	}
	whole, err := json.Marshal(keys)
	if err == nil {
		err = json.Unmarshal(whole, in)
	}
	if err != nil {
		return r, console.Malformed("The body is not the JSON object expected here.", err.Error())
	}
	r = jobrun.Request{
		Params: paramsOf(keys["params"]), Shards: in.Shards, Overlap: jobrun.Overlap(in.Overlap), Note: strings.TrimSpace(in.Note), Manual: in.Manual,
		Delay: problems.span("delay", in.Delay), NotBefore: problems.moment("notBefore", in.NotBefore), FireTime: problems.moment("fireTime", in.FireTime),
	}
	switch {
	case in.Expiry == "-1":
		r.Expiry = -1
	case in.Expiry != "":
		if r.Expiry = problems.span("expiry", in.Expiry); r.Expiry < 0 {
			problems.add("expiry", in.Expiry, wantSpan)
		}
	}
	if in.Shards != nil && len(in.Shards) == 0 {
		problems.add("shards", "", "numbers of shards; leave it out for all")
	}
	if len(problems) > 0 {
		return r, wrongRequest(problems)
	}
	return r, nil
}

// requestProblems are the fields of a request that cannot be taken.
type requestProblems []console.FieldBody

func (p *requestProblems) add(field, value, want string) {
	*p = append(*p, console.FieldBody{Field: field, Value: view.Clip(value, 60), Want: want})
}

// moment reads a time; empty is none.
func (p *requestProblems) moment(field, text string) time.Time {
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
func (p *requestProblems) span(field, text string) time.Duration {
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 && field == "expiry" { // 0 would mean what the job is configured to
		p.add(field, text, wantSpan)
	}
	return d
}

func wrongRequest(fields []console.FieldBody) *console.Problem {
	message := "One field of the request cannot be taken."
	if len(fields) > 1 {
		message = fmt.Sprintf("%d fields of the request cannot be taken.", len(fields))
	}
	p := console.Invalid(message, "Correct the request. Nothing was requested.")
	p.Fields = fields
	return p
}
