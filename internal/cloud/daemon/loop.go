package daemon

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

const (
	// lateAfter is the delay after which a fire time counts as missed, as in package cloud.
	lateAfter = time.Minute
	// longestSleep is the time after which the clock is checked again, because it may have been
	// set, and timers don't count while the machine sleeps.
	longestSleep = 30 * time.Second
	// lastSleep is the last part of a long sleep, slept separately, because a longer timer is less accurate.
	lastSleep = time.Second
)

type Config struct {
	// Task is the process's task. Its Daemon must be set.
	Task task.Task
	// Work does one run. The task has the fire time in UTC. The error is the reason for a failure.
	// It must not panic, and should return soon after its context ends.
	Work func(ctx context.Context, t task.Task) error
	Log  *slog.Logger
	// Transport sends reports. Nil uses the environment's proxy settings.
	Transport http.RoundTripper
}

// Loop fires until ctx ends. It returns when the current run has ended and its reports are delivered, or
// five seconds later. It returns a [task.Error] without firing if the port for the readiness check is taken.
func Loop(ctx context.Context, c Config) error {
	p := process{Config: c, daemon: c.Task.Daemon, ip: hostAddress()}
	var err error
	if p.ready, err = ServeReady(ctx, p.daemon.ReadyPort); err != nil {
		return err
	}
	defer p.ready.Close()
	p.host, _ = os.Hostname() // Without a name, the address identifies the machine.
	if url := p.daemon.EventsURL; url != "" {
		p.reporter = event.Start(event.Config{URL: url, TokenFile: p.daemon.TokenFile, Log: c.Log, Transport: c.Transport})
		defer p.reporter.Close()
	}
	c.Log.InfoContext(ctx, "firing until stopped", "job", c.Task.Job, "shard", c.Task.Item, "cron", p.daemon.Expression.String(), "zone", p.daemon.Zone.String())
	p.loop(ctx)
	return nil
}

type process struct {
	Config
	daemon   *task.Daemon
	reporter *event.Reporter // nil without reports
	ready    *Readiness      // nil without a readiness check
	host, ip string
	runs     int
}

func (p *process) loop(ctx context.Context) {
	p.ready.Begin()
	cursor := time.Now()
	for ctx.Err() == nil {
		next, ok := p.daemon.Next(cursor)
		if !ok {
			p.Log.WarnContext(ctx, "the schedule has no further fire times; waiting to be stopped")
			<-ctx.Done()
			return
		}
		// Otherwise it passed during a run.
		idle := next.After(time.Now())
		if idle {
			if sleepUntil(ctx, next); ctx.Err() != nil {
				return
			}
		}
		now := time.Now()
		newest, misfired, skipped := p.due(next, now, idle)
		if skipped {
			p.Log.InfoContext(ctx, "skipped missed fire times, because misfire is off", "from", next, "to", newest)
			cursor = now
			continue
		}
		if misfired {
			p.Log.InfoContext(ctx, "running once for missed fire times", "from", next, "to", newest)
		}
		p.run(ctx, newest.UTC(), misfired)
		cursor = newest
	}
}

// due returns which fire time from next to now should run, whether it's late or makes up for others, and
// whether to skip it. idle means that nothing was running at next, so it's only late if the process was frozen.
func (p *process) due(next, now time.Time, idle bool) (newest time.Time, misfired, skipped bool) {
	newest = p.newest(next, now)
	late := !idle || now.Sub(newest) > lateAfter
	return newest, late || !newest.Equal(next), late && !p.daemon.Misfire
}

// newest returns the last fire time up to now; next is the first. It searches backwards from now,
// so their number doesn't matter.
func (p *process) newest(next, now time.Time) time.Time {
	at := next
	for span := time.Second; span < now.Sub(next); span *= 2 {
		if found, ok := p.daemon.Next(now.Add(-span)); ok && !found.After(now) {
			at = found
			break
		}
	}
	for {
		further, ok := p.daemon.Next(at)
		if !ok || further.After(now) {
			return at
		}
		at = further
	}
}

func (p *process) run(ctx context.Context, fire time.Time, misfired bool) {
	p.runs++
	report := func(event.Execution) {}
	if p.daemon.Sampled(p.runs) {
		report = p.reporter.Report
	}
	task := p.Task
	task.ScheduledAt, task.Misfired = fire, misfired
	began := time.Now()
	e := event.Execution{
		ID: newID(), TaskID: task.ID, Item: task.Item, Host: p.host, IP: p.ip, Scheduled: fire, Started: began.UTC(),
	}
	report(e)
	err := p.Work(ctx, task)
	ended := e.Started.Add(time.Since(began)) // Not before its start, even if the clock was set.
	e.Ended = &ended
	if err != nil {
		if e.Cause = mask.Text(err.Error()); e.Cause == "" {
			e.Cause = "it failed without an error text" // A row without a cause counts as running.
		}
		p.Log.ErrorContext(ctx, "a run failed", "scheduled_at", fire, "err", event.Clip(e.Cause, maxLogged))
	}
	report(e)
}

// maxLogged is the number of bytes of a cause in the log.
const maxLogged = 500

// sleepUntil returns when the clock shows a time or ctx ends.
func sleepUntil(ctx context.Context, at time.Time) {
	for {
		left := time.Until(at)
		if left <= 0 {
			return
		}
		if left > 2*lastSleep {
			left = min(left-lastSleep, longestSleep)
		}
		if sleep.For(ctx, left) != nil {
			return
		}
	}
}

func newID() string {
	var u [16]byte
	_, _ = rand.Read(u[:]) // It never fails.
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// hostAddress returns the first address of this machine that other machines can reach, preferably
// IPv4, or the loopback address without a network.
func hostAddress() string {
	addresses, _ := net.InterfaceAddrs() // Without addresses there is no network.
	best := ""
	for _, a := range addresses {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		ip := prefix.Addr().Unmap()
		switch {
		case !ip.IsGlobalUnicast():
		case ip.Is4():
			return ip.String()
		case best == "":
			best = ip.String()
		}
	}
	if best == "" {
		return "127.0.0.1"
	}
	return best
}
