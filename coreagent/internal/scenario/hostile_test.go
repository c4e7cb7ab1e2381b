package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// nilError is for the classic mistake of returning a nil pointer as an error.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// hostileError has methods that call its fields.
type hostileError struct {
	text   func() string
	is     func() bool
	as     func() bool
	unwrap func(*hostileError) error
}

func (e *hostileError) Error() string { return e.text() }

func (e *hostileError) Is(error) bool { return e.is != nil && e.is() }
func (e *hostileError) As(any) bool   { return e.as != nil && e.as() }

func (e *hostileError) Unwrap() error {
	if e.unwrap == nil {
		return nil
	}
	return e.unwrap(e)
}

// listError can't be compared, and its wrapped errors include itself.
type listError []error

func (e listError) Error() string   { return "a list" }
func (e listError) Unwrap() []error { return append(e, e, nil) }

func panics[T any]() T { panic("planted") }

// hostileCase is an error and its expected text.
type hostileCase struct {
	err  error
	want string
}

const unreadable = "returned an error whose Error method panicked: "

func hostileErrors() map[string]hostileCase {
	plain := func() string { return "plain" }
	is := func(f func() bool) error { return &hostileError{text: plain, is: f} }
	as := func(f func() bool) error { return &hostileError{text: plain, as: f} }
	unwraps := func(f func(*hostileError) error) error { return &hostileError{text: plain, unwrap: f} }
	yes := func() bool { return true }
	null := "runtime error: invalid memory address or nil pointer dereference; the error is a nil *scenario_test.nilError"
	return map[string]hostileCase{
		"typed nil":             {(*nilError)(nil), unreadable + null},
		"typed nil, permanent":  {coreagent.Permanent((*nilError)(nil)), unreadable},
		"typed nil, joined":     {errors.Join(errors.New("fine"), (*nilError)(nil)), unreadable},
		"Error panics":          {&hostileError{text: panics[string]}, unreadable + "planted"},
		"Error panics nastily":  {&hostileError{text: func() string { panic((*nilError)(nil)) }}, unreadable},
		"Error panics by error": {&hostileError{text: func() string { panic(&nilError{}) }}, unreadable},
		"Is panics":             {is(panics[bool]), "plain"},
		"Is lies":               {is(yes), "plain"},
		"As panics":             {as(panics[bool]), "plain"},
		"As lies":               {as(yes), "plain"},
		"Unwrap panics":         {unwraps(func(*hostileError) error { panic("planted") }), "plain"},
		"Unwrap has no end":     {unwraps(func(e *hostileError) error { return e }), "plain"},
		"wraps a typed nil":     {unwraps(func(*hostileError) error { return (*nilError)(nil) }), "plain"},
		"not comparable":        {listError{(*nilError)(nil)}, "a list"},
		"long":                  {errors.New("long " + strings.Repeat("x", 2<<20)), "long "},
		"not text":              {errors.New("a\xff\x00\nb"), "a"},
		"empty":                 {errors.New(""), ""},
	}
}

// soundJob fails the test if a panic broke a job, or if an instance is missing.
func (b *fixture) soundJob(job string, agents ...*member) {
	b.Helper()
	if n := b.log.count(engine.PanicMessage); n > 0 {
		b.Errorf("a job was broken %d times", n)
	}
	var want []string
	for _, m := range agents {
		want = append(want, m.id)
	}
	if got := b.children(b.tree.Job(job).Instances()); !slices.Equal(got, want) {
		b.Errorf("instances of %s: %q, want %q", job, got, want)
	}
}

// TestW93HostileErrorOfAHandler: a handler returns a hostile error. A requested run should execute
// once and fail with the right reason, a job with a schedule should keep its instances and
// continue, and the other jobs should run.
func TestW93HostileErrorOfAHandler(t *testing.T) {
	t.Parallel()
	for name, c := range hostileErrors() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return c.err })
				var agents []*member
				for n := 1; n <= 3; n++ {
					m := w.open(n, coreagent.Job{Failover: true}, nil)
					fires := coreagent.Job{Name: "fires", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1, Failover: true}
					m.serve(fires, func(context.Context, *coreagent.Shard) error { return c.err })
					agents = append(agents, m.serve(coreagent.Job{Name: "other", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil))
				}
				b.awaitOwners("invoices", agents[2].id)
				b.awaitOwners("fires", agents[2].id)
				from := sleepUntilNext(time.Second)
				id := w.submit(jobrun.Request{})
				done := w.awaitState(id, jobrun.Failed)
				if text := fmt.Sprintf("%+v", done); !strings.Contains(text, c.want) || done.Losses > 0 {
					t.Errorf("ended as %.500s", text)
				}
				time.Sleep(2 * time.Second)
				until := from.Add(2 * time.Second)
				if got := w.executions(id); len(got) != 1 {
					t.Errorf("executed %d times", len(got))
				}
				for _, job := range []string{"fires", "other"} {
					if n := b.runs.starts(job, 1, from, until)[0]; n != 2 {
						t.Errorf("%s ran %d times in 2 s", job, n)
					}
					b.soundJob(job, agents...)
				}
				b.soundJob("invoices", agents...)
				begun := func(e tracing.Execution) bool { return e.CompleteTime.IsZero() }
				executed := slices.DeleteFunc(agents[2].trace.executed("fires"), begun)
				if len(executed) == 0 {
					t.Fatal("no execution was recorded")
				}
				if last := executed[len(executed)-1]; last.Success || !strings.Contains(last.FailureCause, c.want) {
					t.Errorf("recorded: success %v, %.300s", last.Success, last.FailureCause)
				}
			})
		})
	}
}

// hostileUser is all kinds of user code. In one of its functions it returns the errors one after
// the other, or panics with them.
type hostileUser struct {
	at   string
	errs []error
	hits atomic.Int32
}

func (h *hostileUser) strike(at string) error {
	if base, thrown := strings.CutSuffix(h.at, " panics"); thrown && base == at {
		panic(h.next())
	}
	if h.at != at {
		return nil
	}
	return h.next()
}

func (h *hostileUser) next() error { return h.errs[int(h.hits.Add(1)-1)%len(h.errs)] }

func (h *hostileUser) Handle(context.Context, *coreagent.Shard) error     { return h.strike("handler") }
func (h *hostileUser) Before(context.Context, *coreagent.LocalRun) error  { return h.strike("before") }
func (h *hostileUser) After(context.Context, *coreagent.LocalRun) error   { return h.strike("after") }
func (h *hostileUser) Started(context.Context, *coreagent.LocalRun) error { return h.strike("started") }
func (h *hostileUser) Completed(context.Context, *coreagent.LocalRun) error {
	return h.strike("completed")
}
func (h *hostileUser) Observe(coreagent.Observation) { _ = h.strike("observer") }

func (h *hostileUser) HandleError(context.Context, coreagent.Failure) error {
	return h.strike("error handler")
}

func (h *hostileUser) Assign(instances []string, _ string, total int) map[string][]int {
	_ = h.strike("strategy")
	all := make([]int, total)
	for n := range all {
		all[n] = n
	}
	return map[string][]int{instances[0]: all}
}

// TestW93HostileCallbacks: each kind of user code returns or panics with each hostile error. Only
// that call should fail, without breaking the job or the process.
func TestW93HostileCallbacks(t *testing.T) {
	t.Parallel()
	places := []string{
		"handler panics", "before", "before panics", "after", "after panics",
		"started", "started panics", "completed", "completed panics",
		"error handler", "error handler panics", "strategy panics", "observer panics",
	}
	for _, at := range places {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) { hostileCallback(b, at) })
		})
	}
}

func hostileCallback(b *fixture, at string) {
	user := &hostileUser{at: at}
	for _, c := range hostileErrors() {
		user.errs = append(user.errs, c.err)
	}
	span := time.Duration(len(user.errs)) * time.Second
	users := func(cfg *coreagent.Config) {
		cfg.Listeners = []coreagent.Listener{
			{Name: "each", Before: user.Before, After: user.After},
			{Name: "once", Before: user.Started, After: user.Completed, Once: true},
		}
		cfg.ErrorHandlers = []coreagent.ErrorHandler{{Name: "OWN", Handle: user.HandleError}}
		cfg.Strategies = []coreagent.Strategy{{Name: "OWN", Assign: user.Assign}}
		cfg.Observer = user
	}
	job := coreagent.Job{
		Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true,
		Listeners: []coreagent.Listener{{Name: "each"}, {Name: "once"}}, ErrorHandler: coreagent.ErrorHandler{Name: "OWN"}, Strategy: coreagent.Strategy{Name: "OWN"},
	}
	other := coreagent.Job{Name: "other", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}
	var agents []*member
	for n := 1; n <= 2; n++ {
		m := b.agent(n, users)
		handle := user.Handle
		if strings.HasPrefix(at, "error handler") {
			handle = func(context.Context, *coreagent.Shard) error { return errors.New("for the error handler") }
		}
		agents = append(agents, m.serve(job, handle).serve(other, nil).start())
	}
	b.awaitOwners("other", agents[1].id)
	if at != "strategy panics" {
		b.awaitOwners("job", agents[1].id, agents[1].id)
	}
	from := sleepUntilNext(time.Second)
	if at == "strategy panics" {
		span *= 10 // After a failed resharding there's a pause before the next attempt.
	}
	until := from.Add(span - time.Millisecond)
	time.Sleep(time.Until(until))
	synctest.Wait()
	if n := int(user.hits.Load()); n < len(user.errs) {
		b.Errorf("the user's code was called %d times, which is too few for %d errors", n, len(user.errs))
	}
	if n := b.runs.completions("other", 1, from, until)[0]; n != int(span/time.Second) {
		b.Errorf("the other job ran %d times in %v", n, span)
	}
	// An error of Before isn't an error of the run. The error handler decides, and it returns nil.
	for shard, n := range b.runs.starts("job", 2, from, until) {
		if n != int(span/time.Second) && at != "strategy panics" {
			b.Errorf("shard %d ran %d times in %v", shard, n, span)
		}
	}
	b.soundJob("job", agents...)
	b.soundJob("other", agents...)
}

// TestW93PropsAreTheHandlersOwn: if a handler or a listener modifies the properties, the run's
// parameters or the failures, only its own copy should change.
func TestW93PropsAreTheHandlersOwn(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		spoil := func(props map[string]string) {
			for name := range props {
				props[name] = "spoilt"
			}
		}
		listener := &witness{hook: map[string]func(r *coreagent.LocalRun){
			"before": func(r *coreagent.LocalRun) { spoil(r.Props) },
			"after":  func(r *coreagent.LocalRun) { spoil(r.Props); clear(r.Failures) },
		}}
		var seen atomic.Pointer[string]
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
			text := s.Props["format"] + " " + string(s.Run.Params)
			seen.Store(&text)
			spoil(s.Props)
			for i := range s.Run.Params {
				s.Run.Params[i] = 'x'
			}
			return errors.New("failed")
		})
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{{Name: "each", Before: listener.Before, After: listener.After}}
		})
		job := coreagent.Job{Name: "invoices", Shards: 1, Listeners: []coreagent.Listener{{Name: "each"}}}
		job.Props = map[string]string{"format": "csv"}
		job.Retry = coreagent.Retry{Retries: 1, Backoff: time.Second}
		m.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
		m.start()
		id := w.submit(jobrun.Request{Params: []byte(`{"a":1}`)})
		w.awaitState(id, jobrun.Failed)
		if got := w.executions(id); len(got) != 2 {
			t.Errorf("executed %d times, want 2", len(got))
		}
		if got := *seen.Load(); got != `csv {"a":1}` {
			t.Errorf("the second attempt saw %q", got)
		}
		if got := b.config("invoices").Props["format"]; got != "csv" {
			t.Errorf("stored: %q", got)
		}
	})
}
