package requested

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Bounds of one action on many requested runs of a job.
const (
	mostSubmitted        = 1000 // requests
	mostWaitingCancelled = 1000 // runs that wait
	maxBatchBody         = 1 << 20
	// manyTimeout bounds its time. The part that is done by then stays done.
	manyTimeout = time.Minute
)

// batch is the outcome of many requests, and the requests that weren't refused at once, with their
// places.
type batch struct {
	api.Batch
	requests []jobrun.Request
	places   []int
}

func (b *batch) refuse(index int, p *app.Problem) {
	b.Refused = append(b.Refused, api.BatchRefusal{Index: index, Code: p.Code, Message: p.Message, Fields: p.Fields})
}

// submitBatch requests many runs of a job, in their order. A refused request does not keep the
// others from being made; it fails only if no run of the job can be requested at all.
func (s rest) submitBatch(c *gin.Context, job string) error {
	entries, err := readBatch(c)
	if err != nil {
		return err
	}
	b := batch{Batch: api.Batch{Runs: []api.BatchRun{}, Refused: []api.BatchRefusal{}}}
	for i, entry := range entries {
		r, err := readEntry(entry)
		if err != nil {
			b.refuse(i, app.AsProblem(err))
			continue
		}
		r.By = app.RequestedBy(c, fromAPI)
		b.requests, b.places = append(b.requests, r), append(b.places, i)
	}
	wrong := len(b.Refused)
	o := app.RequestRun
	o.Call = func(op app.Operator, ctx context.Context, t app.Target) (out lifecycle.Outcome, err error) {
		ctx, cancel := context.WithTimeout(ctx, manyTimeout)
		defer cancel()
		err = s.submitMany(c, op, ctx, t, &b)
		for _, run := range b.Runs {
			out.Affected = append(out.Affected, run.ID)
		}
		return out, err
	}
	_, err = s.Submit(c, o, app.Target{Job: job})
	s.Note(c, slog.Int("requests", len(b.requests)), slog.Int("created", b.Created), slog.Int("repeated", b.Repeated), slog.Int("refused", len(b.Refused)-wrong))
	if err != nil {
		return err
	}
	slices.SortFunc(b.Refused, func(x, y api.BatchRefusal) int { return cmp.Compare(x.Index, y.Index) })
	status := http.StatusCreated
	if b.Created == 0 {
		status = http.StatusOK
	}
	app.WriteJSON(c, status, b.Batch)
	return nil
}

func (s rest) submitMany(c *gin.Context, op app.Operator, ctx context.Context, t app.Target, b *batch) error {
	for at := 0; at < len(b.requests); {
		tickets, err := op.SubmitRuns(ctx, t.Job, b.requests[at:])
		for i, ticket := range tickets {
			if ticket.Repeated {
				b.Repeated++
			} else {
				b.Created++
			}
			b.Runs = append(b.Runs, api.BatchRun{Index: b.places[at+i], ID: ticket.ID, DueAt: app.OptionalTime(ticket.Due), Repeated: ticket.Repeated, Warning: warningOf(ticket)})
		}
		at += len(tickets)
		if err == nil {
			return nil
		}
		p := s.ActionProblem(c, app.RequestRun, t, err)
		whole := errors.Is(err, lifecycle.ErrNotFound) || errors.Is(err, jobrun.ErrFormat) || errors.Is(err, lifecycle.ErrForbidden) || p.Status() >= http.StatusInternalServerError
		if whole && len(b.Runs) == 0 {
			return err
		}
		b.refuse(b.places[at], p)
		if at++; !whole {
			continue
		}
		notTried := app.Invalid("It was not tried, as one before it could not be answered.", "Send it again.")
		notTried.Kind, notTried.Code = app.KindUnavailable, "not_tried"
		for ; at < len(b.requests); at++ {
			b.refuse(b.places[at], notTried)
		}
	}
	return nil
}

// readBatch reads the requests of a body, each of which is read by itself.
func readBatch(c *gin.Context) ([]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := app.ReadJSON(c, &keys); err != nil {
		return nil, err
	}
	var wrong problems
	for _, name := range view.SortedKeys(keys) {
		if name != "runs" {
			wrong.add(view.Clip(name, 40), "", "no such key: the body has runs alone")
		}
	}
	if c.GetHeader("Idempotency-Key") != "" {
		wrong.add("Idempotency-Key", "", "no such header here: each of the runs has its own key")
	}
	var entries []json.RawMessage
	err := json.Unmarshal(keys["runs"], &entries)
	if n := len(entries); err != nil || n == 0 || n > mostSubmitted {
		value := ""
		if n > 0 {
			value = strconv.Itoa(n)
		}
		wrong.add("runs", value, fmt.Sprintf("a list of 1 to %d requests", mostSubmitted))
	}
	return entries, wrong.err()
}

// readEntry reads one of many requests.
func readEntry(entry json.RawMessage) (r jobrun.Request, err error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(entry, &keys); err != nil || keys == nil {
		return r, app.Malformed("It is not the JSON object expected here.", "Each of the runs is an object, {} for a run at once without parameters.")
	}
	var in api.BatchEntry
	if r, err = requestOf(&in.RunRequest, keys, batchNames); err != nil {
		return r, err
	}
	if key, there := keys["key"]; there {
		if err := json.Unmarshal(key, &r.Key); err != nil {
			return r, app.WrongRequest([]app.FieldBody{{Field: "key", Want: "a text"}})
		}
	}
	return r, nil
}

// cancelWaiting cancels the first waiting runs of a job, or counts them. A run that begins before its turn
// goes on.
func (s rest) cancelWaiting(c *gin.Context, job string) error {
	states, preview, err := readWaiting(c)
	if err != nil {
		return err
	}
	reason := strings.TrimSpace(c.Query("reason"))
	if p := app.CheckReason(reason); p != nil {
		return p
	}
	if preview {
		s.Note(c, slog.String("order", app.CancelWaiting.Verb), slog.String("target", job), slog.Bool("preview", true))
		n, err := reading(s.service, c, job, "", func(ctx context.Context, op app.Operator) (int, error) {
			return op.CountWaitingRuns(ctx, job, states)
		})
		return app.Answer(c, api.Cancelled{Preview: true, Count: min(n, mostWaitingCancelled), More: n > mostWaitingCancelled}, err)
	}
	s.noteReason(c, reason)
	var result jobrun.CancelledRuns
	o := app.CancelWaiting
	o.Call = func(op app.Operator, ctx context.Context, t app.Target) (_ lifecycle.Outcome, err error) {
		ctx, cancel := context.WithTimeout(ctx, manyTimeout)
		defer cancel()
		result, err = op.CancelWaitingRuns(ctx, job, jobrun.Waiting{States: states, Most: mostWaitingCancelled}, app.RequestedBy(c, ""), reason)
		return lifecycle.Outcome{Job: job, Affected: result.IDs}, err
	}
	_, err = s.Submit(c, o, app.Target{Job: job})
	return app.Answer(c, api.Cancelled{Count: len(result.IDs), More: result.Left > 0}, err)
}

// readWaiting reads the states of the runs to cancel: all, if the address names none.
func readWaiting(c *gin.Context) (states []jobrun.State, preview bool, err error) {
	var wrong problems
	if text, given := c.GetQuery("state"); given {
		for name := range strings.SplitSeq(text, ",") {
			state := jobrun.State(strings.TrimSpace(name))
			if state != jobrun.Scheduled && state != jobrun.Queued {
				wrong.add("state", text, "scheduled, queued, or both with a comma between them")
				break
			}
			states = append(states, state)
		}
	}
	switch text := c.Query("preview"); text {
	case "true":
		preview = true
	case "", "false":
	default:
		wrong.add("preview", text, "true or false")
	}
	if len(wrong) > 0 {
		p := app.WrongRequest(wrong)
		p.Hint = "Correct the address. Nothing was cancelled."
		return nil, false, p
	}
	return states, preview, nil
}
