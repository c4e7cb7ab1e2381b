package notices

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

const (
	// mostAtOnce is the number of concurrent messages, each to another destination.
	mostAtOnce = 8
	// mostAttempts is the number of attempts to send a message.
	mostAttempts = 3
	// firstPause is the pause after the first attempt. The next one is five times as long.
	firstPause = 2 * time.Second
	// deliveryTimeout limits one attempt, so that three attempts fit into the scheduler's time limit.
	deliveryTimeout = 30 * time.Second
)

type Config struct {
	// Allow is the list of allowed destinations. The zero list allows none, so no job notifies anyone.
	Allow outbound.List
	// Address is the console's address for browsers, used in links. It may be empty.
	Address string
	// Zone is for jobs without a time zone. Defaults to UTC.
	Zone   *time.Location
	Logger *slog.Logger
}

// Notifier notifies people of failed runs. It's safe for concurrent use.
type Notifier struct {
	Config
	slots chan struct{}
	pause time.Duration // after the first attempt

	mu    sync.Mutex
	turns map[string]*turn // by destination, while messages wait
}

// turn makes messages to a destination wait for each other.
type turn struct {
	taken chan struct{}
	users int
}

func New(c Config) *Notifier {
	c.Zone, c.Logger = cmp.Or(c.Zone, time.UTC), cmp.Or(c.Logger, slog.Default())
	return &Notifier{Config: c, slots: make(chan struct{}, mostAtOnce), pause: firstPause, turns: make(map[string]*turn)}
}

// Reason is why a job's notifications aren't sent.
type Reason string

const (
	// ReasonOff means that this console doesn't send notifications.
	ReasonOff Reason = "off"
	// ReasonProps means that the job's properties are wrong.
	ReasonProps Reason = "props"
	// ReasonHost means that the destination isn't on the list.
	ReasonHost Reason = "host"
	// ReasonDaemon means that the job is a DAEMON, so the scheduler starts no runs of it.
	ReasonDaemon Reason = "daemon"
)

// Problem is why a job's notifications aren't sent. It is a [cloud.ErrRefused].
type Problem struct {
	Reason Reason
	Type   string // of the error handler
	// Detail is the host and port that are not allowed, or the error in the properties.
	Detail string
}

// Error includes the remedy.
func (p *Problem) Error() string {
	switch p.Reason {
	case ReasonOff:
		return fmt.Sprintf("%s needs --cloud-notify-hosts with the allowed hosts, because this console sends no notifications without it", p.Type)
	case ReasonHost:
		return fmt.Sprintf("%s is not allowed; add it to --cloud-notify-hosts of the console if jobs may send messages to it", p.Detail)
	case ReasonDaemon:
		return p.Type + " has no effect for a DAEMON job, because no notifications are sent for the runs its processes report"
	}
	return fmt.Sprintf("the properties of %s are wrong: %s", p.Type, p.Detail)
}

// Is reports that a retry is useless until something changes.
func (p *Problem) Is(target error) bool { return target == cloud.ErrRefused }

// Check returns why notifications of failed runs of a job won't be sent, or nil if they will or the
// job asks for none. It doesn't connect.
func (n *Notifier) Check(job cloud.Job) *Problem {
	_, problem := n.sender(job)
	return problem
}

// sender returns the sender for a job, nil if the job asks for none.
func (n *Notifier) sender(job cloud.Job) (*notify.Sender, *Problem) {
	refuse := func(reason Reason, detail string) (*notify.Sender, *Problem) {
		return nil, &Problem{Reason: reason, Type: job.ErrorHandlerType, Detail: detail}
	}
	switch {
	case !job.Notifies():
		return nil, nil
	case job.Type == cloud.TypeDaemon:
		return refuse(ReasonDaemon, "")
	case n.Allow.Empty():
		return refuse(ReasonOff, "")
	}
	sender, err := notify.New(job.ErrorHandlerType, job.Props, notify.Options{
		Log: n.Logger, Timeout: deliveryTimeout, Dial: n.Allow.Dial, DialProxy: new(net.Dialer).DialContext,
	})
	if err != nil {
		return refuse(ReasonProps, err.Error())
	}
	if sender.Address == "" {
		return refuse(ReasonProps, "the address has no host, or is neither http nor https")
	}
	if err := n.Allow.Check(sender.Address); err != nil {
		return refuse(ReasonHost, mask.Clip(sender.Address, 300))
	}
	return sender, nil
}

// Notify sends a notification about a failed run, with the last attempt at each failed shard. The
// error contains no secrets.
func (n *Notifier) Notify(ctx context.Context, job cloud.Job, run cloud.RunStatus, failed []cloud.Task) error {
	sender, problem := n.sender(job)
	if problem != nil {
		return problem
	}
	if sender == nil {
		return nil
	}
	leave, err := n.enter(ctx, sender.Key())
	if err != nil {
		return fmt.Errorf("%s: earlier messages to it took too long: %w", sender, err)
	}
	defer leave()
	if err := n.send(ctx, sender, run, n.message(job, run, failed)); err != nil {
		return fmt.Errorf("%s: %w", sender, err)
	}
	n.Logger.InfoContext(ctx, "cloud: sent a notification about a failed run", "job", run.JobName, "run", run.Name, "handler", sender.Type, "to", sender.Place)
	return nil
}

// send tries until the message was taken, a retry is useless, or the attempts are used up.
func (n *Notifier) send(ctx context.Context, sender *notify.Sender, run cloud.RunStatus, m notify.Message) error {
	pause := n.pause
	for attempt := 1; ; attempt++ {
		err := sender.Send(ctx, m)
		switch {
		case err == nil:
			return nil
		case notify.Final(err), errors.Is(err, outbound.ErrForbidden):
			return err
		case attempt == mostAttempts, ctx.Err() != nil:
			return fmt.Errorf("gave up after attempt %d: %w", attempt, err)
		}
		n.Logger.WarnContext(ctx, "cloud: could not send a notification, retrying", "run", run.Name, "handler", sender.Type, "to", sender.Place, "attempt", attempt, "error", err, "pause", pause)
		if sleep.For(ctx, pause) != nil {
			return fmt.Errorf("gave up after attempt %d: %w", attempt, err)
		}
		pause *= 5
	}
}

// enter waits for the caller's turn at a destination, and for a free place among the concurrent messages.
func (n *Notifier) enter(ctx context.Context, destination string) (leave func(), err error) {
	n.mu.Lock()
	t := n.turns[destination]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		n.turns[destination] = t
	}
	t.users++
	n.mu.Unlock()
	forget := func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if t.users--; t.users == 0 {
			delete(n.turns, destination)
		}
	}
	select {
	case t.taken <- struct{}{}:
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
	select {
	case n.slots <- struct{}{}:
	case <-ctx.Done():
		<-t.taken
		forget()
		return nil, ctx.Err()
	}
	return func() {
		<-n.slots
		<-t.taken
		forget()
	}, nil
}
