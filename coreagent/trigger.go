package coreagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// Trigger ties a job to the struct with its parameters. Programs that serve the job and programs
// that request runs share it, so the compiler keeps them consistent. [NewTrigger] creates it.
//
// The tags of P are rules. They become a schema in a subset of JSON Schema 2020-12 that a form can show:
//
//	type Report struct {
//		Month   string   `json:"month" param:"required;pattern=^\\d{4}-\\d{2}$;title=Month"`
//		Tenants []string `json:"tenants,omitempty" param:"maxItems=100"`
//		Size    int      `json:"size" param:"min=1;max=1000;default=100"`
//		Format  string   `json:"format" param:"enum=pdf|csv;default=pdf"`
//		Token   string   `json:"token,omitempty" param:"secret"`
//	}
//
// The entries of a tag are separated by semicolons; \; is a semicolon in a value. They are
// required, secret (hidden from guests), multiline, title, description, default, format (date,
// date-time, email, uri), pattern (of package regexp), minLength, maxLength, min, max, minItems,
// maxItems, and enum with its values separated by |. For a list, rules for texts and numbers apply
// to its elements. A default is JSON unless it's a text or a time.
//
// Fields can be booleans, numbers, texts, [time.Time], structs, slices, maps with text keys,
// [json.RawMessage] for anything, and pointers to them; five levels and 200 fields in all. A field
// may be left out unless it's required, and then gets its default. With omitempty, Go leaves out
// the zero value, so it means the default; without it, a zero is sent as such.
type Trigger[P any] struct {
	job    string
	schema *runparams.Schema
	text   []byte
}

// NewTrigger returns the trigger of a job with parameters of type P. If P can't be parameters, it
// panics with the field and the reason, because that is a programming error.
func NewTrigger[P any](job string) Trigger[P] {
	schema, text, err := runparams.Of(reflect.TypeFor[P]())
	if err != nil {
		panic(fmt.Sprintf("coreagent: NewTrigger[%v]: %v", reflect.TypeFor[P](), err))
	}
	return Trigger[P]{job: job, schema: schema, text: text}
}

// Handler returns a handler that calls fn with the parameters of the run. Missing ones get their
// defaults; a fire time and a trigger without parameters have none, and [Shard.Run] has HasParams
// false. Parameters that don't fit P fail the run permanently.
func (t Trigger[P]) Handler(fn func(ctx context.Context, s *Shard, p P) error) Handler {
	if fn == nil {
		return nil // [Agent.Add] refuses it.
	}
	return &triggerHandler[P]{trigger: t, fn: fn}
}

// Submit requests a run of the trigger's job as [Agent.Submit] does. It first checks the parameters
// with P's own schema; a [ParamsError] lists the problems.
func (t Trigger[P]) Submit(ctx context.Context, a *Agent, p P, o RunOptions) (Ticket, error) {
	const op = "submit a run of"
	params, err := json.Marshal(p)
	if err != nil {
		return Ticket{}, jobError(op, t.job, fmt.Errorf("%w: %w", ErrParams, err))
	}
	if err := t.schema.Check(params); err != nil {
		return Ticket{}, jobError(op, t.job, err)
	}
	return a.Submit(ctx, t.job, json.RawMessage(params), o)
}

// SubmitMany requests a run for each of params as [Agent.SubmitMany] does, all with the same options. It first
// checks them with P's own schema. A Key isn't allowed, because it would mean one run for all.
func (t Trigger[P]) SubmitMany(ctx context.Context, a *Agent, params []P, o RunOptions) ([]Ticket, error) {
	const op = "submit runs of"
	if o.Key != "" {
		return nil, jobError(op, t.job, fmt.Errorf("%w: Key: %q would be the key of %d runs", ErrRunOptions, o.Key, len(params)))
	}
	requests := make([]RunRequest, len(params))
	for i, p := range params {
		text, err := json.Marshal(p)
		if err != nil {
			return nil, jobError(op, t.job, fmt.Errorf("run %d: %w: %w", i, ErrParams, err))
		}
		if err := t.schema.Check(text); err != nil {
			return nil, jobError(op, t.job, fmt.Errorf("run %d: %w", i, err))
		}
		requests[i] = RunRequest{Params: json.RawMessage(text), Options: o}
	}
	return a.SubmitMany(ctx, t.job, requests)
}

// Schema returns the JSON Schema of P, always the same for the same P.
func (t Trigger[P]) Schema() []byte { return slices.Clone(t.text) }

// Params returns the parameters of a shard's run, with defaults, for handlers that aren't made by a
// [Trigger]. The error is [Permanent], so that a handler can return it. It has the reason why P
// can't be parameters, or why these don't fit.
func Params[P any](s *Shard) (P, error) {
	schema, err := schemaOf(reflect.TypeFor[P]())
	if err != nil {
		var zero P
		return zero, Permanent(fmt.Errorf("Params[%v]: %w", reflect.TypeFor[P](), err))
	}
	return decodeParams[P](schema, s.Run.Params)
}

func decodeParams[P any](schema *runparams.Schema, params []byte) (P, error) {
	var p, zero P
	filled := schema.Defaults(params)
	if len(filled) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(filled, &p); err != nil {
		return zero, Permanent(fmt.Errorf("%w: %w", ErrParams, err))
	}
	return p, nil
}

// schemas caches the schemas for [Params] by type.
var schemas sync.Map

func schemaOf(t reflect.Type) (*runparams.Schema, error) {
	if known, ok := schemas.Load(t); ok {
		return known.(*runparams.Schema), nil
	}
	schema, _, err := runparams.Of(t)
	if err != nil {
		return nil, err
	}
	schemas.Store(t, schema)
	return schema, nil
}

// parameterised is a handler that knows the schema of its parameters, as JSON text.
type parameterised interface {
	schema() []byte
	job() string
}

// schema returns the schema of the run's parameters, nil if there is none, and a handler that adds
// the defaults of Requests.Schema. A trigger's handler adds its own defaults.
func (job Job) schema(h Handler) (text []byte, _ Handler, err error) {
	if p, takes := h.(parameterised); takes {
		if job.Requests.Schema != nil {
			return nil, nil, errors.New("Requests.Schema: the handler comes from a trigger, which has its own schema")
		}
		if name := p.job(); name != job.Name {
			return nil, nil, fmt.Errorf("the handler belongs to a trigger of job %q", name)
		}
		return p.schema(), h, nil
	}
	if job.Requests.Schema == nil {
		return nil, h, nil
	}
	own, err := runparams.Parse(job.Requests.Schema)
	if err != nil {
		return nil, nil, fmt.Errorf("Requests.Schema: %w", err)
	}
	return job.Requests.Schema, withDefaults{h, own}, nil
}

type triggerHandler[P any] struct {
	trigger Trigger[P]
	fn      func(ctx context.Context, s *Shard, p P) error
}

var _ parameterised = (*triggerHandler[struct{}])(nil)

func (h *triggerHandler[P]) schema() []byte { return h.trigger.text }
func (h *triggerHandler[P]) job() string    { return h.trigger.job }

func (h *triggerHandler[P]) Handle(ctx context.Context, s *Shard) error {
	p, err := decodeParams[P](h.trigger.schema, s.Run.Params)
	if err != nil {
		return err
	}
	return h.fn(ctx, s, p)
}
