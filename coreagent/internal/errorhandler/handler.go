package errorhandler

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// ElasticJob's types.
const (
	TypeLog      = "LOG"               // writes to the log; the default
	TypeThrow    = "THROW"             // stops the run
	TypeIgnore   = "IGNORE"            // does nothing
	TypeEmail    = notify.TypeEmail    // sends a mail
	TypeWechat   = notify.TypeWechat   // posts to a WeChat Work robot
	TypeDingTalk = notify.TypeDingTalk // posts to a DingTalk robot
)

var builtin = []string{TypeDingTalk, TypeEmail, TypeIgnore, TypeLog, TypeThrow, TypeWechat}

// Builtin returns ElasticJob's types, sorted.
func Builtin() []string { return slices.Clone(builtin) }

// Handler is notified of each failure of a job: of a shard, of a listener, or of the clock
// comparison. Handlers are safe for concurrent use.
//
// A handler that holds resources may also have a method Close(context.Context) error. It's called
// when the configuration has replaced the handler, while a last Handle may still run.
type Handler interface {
	// Handle handles err. A non-nil result stops the run, like ElasticJob's THROW. It's called on
	// the run's own goroutine, so it must be quick. ctx ends with the run.
	Handle(ctx context.Context, job string, err error) error
}

// Factory creates a handler from the job's properties, which it must not change. It returns an
// error if they're invalid.
type Factory func(props map[string]string) (Handler, error)

// Options configures a [Set]. The zero value suits most agents.
type Options struct {
	// Log receives the output of LOG, and errors with failed notifications. Defaults to
	// [slog.Default].
	Log *slog.Logger
	// QueueSize limits the waiting notifications of all jobs. One destination gets at most a
	// quarter of it. Defaults to 1024.
	QueueSize int
	// Parallel is how many notifications are delivered at the same time, each to a different
	// destination. Defaults to 16.
	Parallel int
	// Timeout limits one delivery, even if the job's properties allow more. Defaults to one minute.
	Timeout time.Duration
	// Dial opens the connections of all notifications. Defaults to TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// RootCAs verify mail servers and webhooks. Defaults to the system's authorities.
	RootCAs *x509.CertPool
}

func (o Options) withDefaults() Options {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.QueueSize, o.Parallel = cmp.Or(o.QueueSize, 1024), cmp.Or(o.Parallel, 16)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	return o
}

// UnknownTypeError is returned for an unregistered type.
type UnknownTypeError struct {
	Type    string
	Allowed []string // the known types
}

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("Cannot find job error handler type '%s'. Allowed types: %s (empty means %s).",
		e.Type, strings.Join(e.Allowed, ", "), TypeLog)
}

// ThrownError is returned by THROW to stop the run.
type ThrownError struct {
	Job string
	Err error
}

func (e *ThrownError) Error() string { return headline(e.Job) + ": " + e.Err.Error() }

func (e *ThrownError) Unwrap() error { return e.Err }

// headline returns the beginning of all of ElasticJob's messages about a failure.
func headline(job string) string {
	return fmt.Sprintf("Job '%s' exception occur in job processing", job)
}

// Set creates the handlers of one agent's jobs and delivers their notifications. It's safe for
// concurrent use.
type Set struct {
	opts   Options
	custom map[string]Factory // the user's, by type name
	outbox *outbox
}

// NewSet returns a set, which must be closed.
func NewSet(opts Options) *Set {
	opts = opts.withDefaults()
	return &Set{opts: opts, outbox: newOutbox(opts.QueueSize, opts.Parallel)}
}

// With returns a set that also makes the user's handlers, by type name. It delivers with s, and is
// closed with it. Names of ElasticJob have no effect.
func (s *Set) With(custom map[string]Factory) *Set {
	if len(custom) == 0 {
		return s
	}
	all := maps.Clone(custom)
	for name, factory := range s.custom {
		if _, own := all[name]; !own {
			all[name] = factory
		}
	}
	return &Set{opts: s.opts, custom: all, outbox: s.outbox}
}

// Names returns every type that [Set.New] knows, sorted.
func (s *Set) Names() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(builtin), maps.Keys(s.custom))))
}

// Check returns the error that New would return for a built-in or unknown type. It doesn't call the
// user's factories.
func (s *Set) Check(typeName string, props map[string]string) error {
	if _, custom := s.custom[typeName]; custom {
		return nil
	}
	_, err := s.New(typeName, props)
	return err
}

// New creates the handler of a type. It checks the properties by ElasticJob's rules. An empty type
// means LOG. The error is an [*UnknownTypeError] or lists every invalid property. New neither
// connects nor starts anything, so it can also check a configuration.
func (s *Set) New(typeName string, props map[string]string) (Handler, error) {
	switch typeName {
	case "", TypeLog:
		return logHandler{s.opts.Log}, nil
	case TypeThrow:
		return handlerFunc(func(job string, err error) error { return &ThrownError{Job: job, Err: err} }), nil
	case TypeIgnore:
		return handlerFunc(func(string, error) error { return nil }), nil
	case TypeEmail, TypeWechat, TypeDingTalk:
		sender, err := notify.New(typeName, props, notify.Options{Log: s.opts.Log, Timeout: s.opts.Timeout, Dial: s.opts.Dial, RootCAs: s.opts.RootCAs})
		if err != nil {
			return nil, err
		}
		return &notifier{sender: sender, outbox: s.outbox, log: s.opts.Log}, nil
	}
	factory, ok := s.custom[typeName]
	if !ok {
		return nil, &UnknownTypeError{Type: typeName, Allowed: s.Names()}
	}
	return newGuarded(typeName, factory, maps.Clone(props), s.opts.Log)
}

// Close refuses further notifications, delivers the waiting ones and returns. If ctx ends first,
// the rest is logged, and the error has their number. Close may be called more than once. Handlers
// still work afterwards, but write their notifications to the log.
func (s *Set) Close(ctx context.Context) error { return s.outbox.close(ctx) }

// Stats returns the counts so far.
func (s *Set) Stats() Stats { return s.outbox.snapshot() }

type logHandler struct{ log *slog.Logger }

func (h logHandler) Handle(ctx context.Context, job string, err error) error {
	h.log.ErrorContext(ctx, headline(job), "job", job, "err", err) //nolint:sloglint // ElasticJob's own headline, with the job's name
	return nil
}

type handlerFunc func(job string, err error) error

func (f handlerFunc) Handle(_ context.Context, job string, err error) error { return f(job, err) }

// guarded keeps a user's handler from crashing the agent.
type guarded struct {
	typeName string
	handler  Handler
	log      *slog.Logger
}

func newGuarded(typeName string, factory Factory, props map[string]string, log *slog.Logger) (h Handler, err error) {
	defer func() {
		if value := recover(); value != nil {
			h, err = nil, fmt.Errorf("error handler %s: panic: %s", typeName, usererror.PanicText(value))
		}
	}()
	made, err := factory(props)
	if err != nil {
		return nil, fmt.Errorf("error handler %s: %w", typeName, err)
	}
	if made == nil {
		return nil, fmt.Errorf("error handler %s: the factory returned nothing", typeName)
	}
	return &guarded{typeName, made, log}, nil
}

// Handle calls the user's handler. If it panics, the error that it should have handled is logged
// and the run goes on.
func (g *guarded) Handle(ctx context.Context, job string, cause error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			g.log.ErrorContext(ctx, headline(job), "job", job, "err", cause, "handler", g.typeName, "handler_panic", usererror.PanicText(value)) //nolint:sloglint // ElasticJob's own headline, with the job's name
			err = nil
		}
	}()
	return usererror.Freeze("error handler "+g.typeName, g.handler.Handle(ctx, job, cause))
}

// Close closes the user's handler if it has a Close method.
func (g *guarded) Close(ctx context.Context) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("error handler %s: close: panic: %s", g.typeName, usererror.PanicText(value))
		}
	}()
	if c, ok := g.handler.(interface{ Close(context.Context) error }); ok {
		return usererror.Freeze("Close of error handler "+g.typeName, c.Close(ctx))
	}
	return nil
}

const closeTimeout = 5 * time.Second

// JobHandler is one job's handler, kept in sync with the job's configuration. It's safe for
// concurrent use.
type JobHandler struct {
	set *Set
	job string

	mu       sync.Mutex
	typeName string
	props    map[string]string
	handler  Handler // nil before the first Update and after Close, which means LOG
}

// ForJob returns the handler of a job. Until its first Update it behaves like LOG.
func (s *Set) ForJob(job string) *JobHandler { return &JobHandler{set: s, job: job} }

// Update creates a new handler if the type or any property has changed since the last call, as
// ElasticJob does at each trigger. After an error, which comes from [Set.New], the handler stays
// the same.
func (k *JobHandler) Update(ctx context.Context, typeName string, props map[string]string) error {
	k.mu.Lock()
	same := k.handler != nil && typeName == k.typeName && maps.Equal(props, k.props)
	k.mu.Unlock()
	if same {
		return nil
	}
	made, err := k.set.New(typeName, props)
	if err != nil {
		return err
	}
	k.mu.Lock()
	old := k.handler
	k.handler, k.typeName, k.props = made, typeName, maps.Clone(props)
	k.mu.Unlock()
	k.discard(ctx, old)
	return nil
}

// Type returns the type of the handler.
func (k *JobHandler) Type() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return cmp.Or(k.typeName, TypeLog)
}

// Handle passes an error of the job to its handler. A non-nil result stops the run.
func (k *JobHandler) Handle(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	k.mu.Lock()
	h := k.handler
	k.mu.Unlock()
	if h == nil {
		h = logHandler{k.set.opts.Log}
	}
	return h.Handle(ctx, k.job, err)
}

// Close closes the handler. Pending notifications belong to the [Set] and are still delivered.
func (k *JobHandler) Close(ctx context.Context) {
	k.mu.Lock()
	old := k.handler
	k.handler = nil
	k.mu.Unlock()
	k.discard(ctx, old)
}

// discard closes a user's handler that was replaced. ElasticJob's own handlers have nothing to
// close.
func (k *JobHandler) discard(ctx context.Context, h Handler) {
	closer, ok := h.(interface{ Close(context.Context) error })
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	if err := closer.Close(ctx); err != nil {
		k.set.opts.Log.WarnContext(ctx, "could not close a replaced error handler", "job", k.job, "err", err)
	}
}

// maxText limits the text of an error in a notification, in bytes. A stack trace is rarely longer,
// and a queue of them must not fill the memory.
const maxText = 16 << 10

// notifier is a handler that sends notifications of errors.
type notifier struct {
	sender *notify.Sender
	outbox *outbox
	log    *slog.Logger
}

// Handle queues the notification and returns nil at once.
func (n *notifier) Handle(ctx context.Context, job string, cause error) error {
	text := notify.Clip(mask.Text(strings.ToValidUTF8(cause.Error(), "�")), maxText)
	n.outbox.post(delivery{
		destination: n.sender.Key(),
		timeout:     n.sender.Timeout,
		send: func(ctx context.Context) error {
			return n.sender.Send(ctx, notify.Message{Text: headline(job) + ", caused by " + text})
		},
		sent: func() {
			n.log.InfoContext(ctx, "error notification sent", "job", job, "handler", n.sender.Type, "to", n.sender.Place)
		},
		failed: func(reason error) {
			n.log.ErrorContext(ctx, headline(job), "job", job, "err", n.sender.Hide(text), //nolint:sloglint // ElasticJob's own headline, with the job's name
				"handler", n.sender.Type, "to", n.sender.Place, "not_sent", reason)
		},
	})
	return nil
}

// String returns the handler without its secrets, for all formats.
func (n *notifier) String() string { return n.sender.String() }

// GoString returns String, because %#v would show the fields.
func (n *notifier) GoString() string { return n.String() }
