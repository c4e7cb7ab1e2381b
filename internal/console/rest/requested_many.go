package rest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// maxBatchBody is the most that many requests for runs may have.
const maxBatchBody = 1 << 20

// batchRequest are requests for many runs of a job.
type batchRequest struct {
	Runs []batchEntry `json:"runs"`
}

// batchEntry is one of them.
type batchEntry struct {
	api.RunRequest
	// Key is the idempotency key.
	Key string `json:"key,omitempty"`
}

// batchNames are the keys that one of many requests may have.
var batchNames = append(slices.Clone(requestNames), "key")

// batchBody is what became of many requests. Those that were refused made no run.
type batchBody struct {
	Created  int            `json:"created"`
	Repeated int            `json:"repeated"`
	Runs     []batchRun     `json:"runs"`
	Refused  []batchRefusal `json:"refused"`
}

// batchRun is the run of a request, which stands at a place among them, from 0 on.
type batchRun struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	DueAt    string `json:"dueAt"`
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning,omitempty"`
}

// batchRefusal is a request that was refused, and why.
type batchRefusal struct {
	Index   int                 `json:"index"`
	Code    string              `json:"code"`
	Message string              `json:"message"`
	Fields  []console.FieldBody `json:"fields,omitempty"`
}

// submitBatch requests many runs of a job.
func (s requestAPI) submitBatch(c *gin.Context) {
	job, err := console.JobName(c)
	var entries []json.RawMessage
	if err == nil {
		entries, err = readBatch(c)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	var list []jobrun.Request
	var numbers []int
	var refused []console.RefusedRequest
	for i, entry := range entries {
		r, err := readEntry(entry)
		if err != nil {
			refused = append(refused, console.RefusedRequest{Index: i, Problem: console.AsProblem(err)})
			continue
		}
		list, numbers = append(list, r), append(numbers, i)
	}
	result, err := s.SubmitMany(c, job, console.FromAPI, list, numbers)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := batchBody{Runs: []batchRun{}, Refused: []batchRefusal{}}
	for _, n := range numbers {
		if t, placed := result.Tickets[n]; placed {
			if t.Repeated {
				body.Repeated++
			} else {
				body.Created++
			}
			body.Runs = append(body.Runs, batchRun{Index: n, ID: t.ID, DueAt: optionalTime(t.Due), Repeated: t.Repeated, Warning: warningOf(t)})
		}
	}
	refused = append(refused, result.Refused...)
	slices.SortFunc(refused, func(a, b console.RefusedRequest) int { return a.Index - b.Index })
	for _, r := range refused {
		body.Refused = append(body.Refused, batchRefusal{r.Index, r.Problem.Code, r.Problem.Message, r.Problem.Fields})
	}
	status := http.StatusCreated
	if body.Created == 0 {
		status = http.StatusOK
	}
	console.WriteJSON(c, status, body)
}

// readBatch reads the requests of a body, each of which is read by itself.
func readBatch(c *gin.Context) ([]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := console.ReadJSON(c, &keys); err != nil {
		return nil, err
	}
	var problems requestProblems
	for _, name := range view.SortedKeys(keys) {
		if name != "runs" {
			problems.add(view.Clip(name, 40), "", "no such key: the body has runs alone")
		}
	}
	if c.GetHeader("Idempotency-Key") != "" {
		problems.add("Idempotency-Key", "", "no such header here: each of the runs has its own key")
	}
	var entries []json.RawMessage
	err := json.Unmarshal(keys["runs"], &entries)
	if n := len(entries); err != nil || n == 0 || n > console.MostSubmitted {
		value := ""
		if n > 0 {
			value = strconv.Itoa(n)
		}
		problems.add("runs", value, fmt.Sprintf("a list of 1 to %d requests", console.MostSubmitted))
	}
	if len(problems) > 0 {
		return nil, wrongRequest(problems)
	}
	return entries, nil
}

// readEntry reads one of many requests.
func readEntry(entry json.RawMessage) (r jobrun.Request, err error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(entry, &keys); err != nil || keys == nil {
		return r, console.Malformed("It is not the JSON object expected here.", "Each of the runs is an object, {} for a run at once without parameters.")
	}
	var in batchEntry
	if r, err = requestOf(&in.RunRequest, keys, batchNames); err != nil {
		return r, err
	}
	if key, there := keys["key"]; there {
		if err := json.Unmarshal(key, &r.Key); err != nil {
			return r, wrongRequest([]console.FieldBody{{Field: "key", Want: "a text"}})
		}
	}
	return r, nil
}

// cancelledBody is how many runs were cancelled, or would be. More: others wait besides.
type cancelledBody struct {
	Preview bool `json:"preview"`
	Count   int  `json:"count"`
	More    bool `json:"more"`
}

// cancelWaiting cancels the runs of a job that wait, or counts them.
func (s requestAPI) cancelWaiting(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	reason := strings.TrimSpace(c.Query("reason"))
	states, preview, p := readWaiting(c)
	if p == nil {
		p = console.CheckReason(reason)
	}
	if p != nil {
		s.Fail(c, p)
		return
	}
	body := cancelledBody{Preview: preview}
	if preview {
		s.Note(c, slog.String("order", console.CancelWaiting.Verb), slog.String("target", job), slog.Bool("preview", true))
		n, err := s.CountWaiting(c, job, states)
		if err != nil {
			s.Fail(c, err)
			return
		}
		body.Count, body.More = min(n, console.MostWaitingCancelled), n > console.MostWaitingCancelled
		console.WriteJSON(c, http.StatusOK, body)
		return
	}
	result, err := s.CancelWaiting(c, job, states, reason)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body.Count, body.More = len(result.IDs), result.Left > 0
	console.WriteJSON(c, http.StatusOK, body)
}

// readWaiting reads which runs that wait are meant: all, if the address does not say.
func readWaiting(c *gin.Context) (states []jobrun.State, preview bool, p *console.Problem) {
	var problems requestProblems
	text, said := c.GetQuery("state")
	for name := range strings.SplitSeq(text, ",") {
		state := jobrun.State(strings.TrimSpace(name))
		if !said {
			break
		}
		if state != jobrun.Scheduled && state != jobrun.Queued {
			problems.add("state", text, "scheduled, queued, or both with a comma between them")
			break
		}
		states = append(states, state)
	}
	switch text := c.Query("preview"); text {
	case "true":
		preview = true
	case "", "false":
	default:
		problems.add("preview", text, "true or false")
	}
	if len(problems) == 0 {
		return states, preview, nil
	}
	p = wrongRequest(problems)
	p.Hint = "Correct the address. Nothing was cancelled."
	return nil, false, p
}
