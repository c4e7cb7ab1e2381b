package task

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Limits of the variables of a DAEMON, as in package cloud.
const (
	MaxCron     = 1000
	MaxURL      = 2000
	MaxSampling = 1 << 30
	MaxPort     = 65535
)

// Daemon is the schedule of a DAEMON job's process, and which runs it reports.
type Daemon struct {
	Reporting

	// Expression includes the rules of the job's properties.
	Expression *quartz.Expression
	Zone       *time.Location
	// Misfire makes up for the fire times during a run with one run.
	Misfire bool
}

// Reporting is how a process reports its runs and its readiness.
type Reporting struct {
	// Sampling n reports every n-th run of each shard; 0 and 1 report all.
	Sampling int
	// EventsURL is the address for reports of runs, or "". TokenFile has the token for it.
	EventsURL, TokenFile string
	// ReadyPort is the port for readiness checks at [ReadyPath]; 0 is none.
	ReadyPort int
}

const ReadyPath = "/readyz"

// Next returns the first fire time after a moment, or false.
func (d *Daemon) Next(after time.Time) (time.Time, bool) {
	return d.Expression.NextOfAll(after, d.Zone)
}

// daemon reads the variables that only a process with its own schedule has. It must run after the
// properties are read.
func (r *reader) daemon(t Task) *Daemon {
	d := &Daemon{Zone: r.zone(), Misfire: r.misfire(), Reporting: r.reporting()}
	d.Expression = r.expression(t, d.Zone)
	return d
}

func (r *reader) reporting() Reporting {
	p := Reporting{
		Sampling:  r.number(EventSampling, 0, MaxSampling, 0),
		EventsURL: r.address(), TokenFile: r.text(EventsTokenFile, MaxURL, false),
	}
	if r.env[ReadyPort] != "" {
		p.ReadyPort = r.number(ReadyPort, 1, MaxPort, 0)
	}
	if p.EventsURL != "" && r.env[EventsTokenFile] == "" {
		r.refuse(EventsTokenFile, "is not set although %s is; without the token the console refuses reports", EventsURL)
	}
	return p
}

func (r *reader) config(variable, format string, args ...any) {
	r.errs = append(r.errs, &Error{variable, fmt.Sprintf(format, args...), true})
}

// zone defaults to UTC.
func (r *reader) zone() *time.Location {
	name := r.text(TimeZone, maxWord, false)
	if name == "" {
		return time.UTC
	}
	zone, err := quartz.LoadZone(name)
	if err != nil {
		r.config(TimeZone, "is %q, want a known zone, such as Europe/Berlin, or an offset such as GMT+08:00; a Go program in an image without a database of zones imports time/tzdata", shown(name))
		return time.UTC
	}
	return zone
}

// misfire defaults to upstream's default.
func (r *reader) misfire() bool {
	value := r.env[Misfire]
	if value != "" && value != "true" && value != "false" {
		r.refuse(Misfire, "is %q, want true or false", shown(value))
	}
	return value == "true"
}

// expression parses the schedule, including fields and properties with the same meaning.
func (r *reader) expression(t Task, zone *time.Location) *quartz.Expression {
	cron := r.text(Cron, MaxCron, true)
	if cron == "" {
		return nil
	}
	props := maps.Clone(t.Props)
	of := map[string]string{quartz.FromProp: Props, quartz.UntilProp: Props, quartz.ClockChangeProp: Props, quartz.ExcludeProp: Props, quartz.JitterProp: Props}
	for variable, prop := range map[string]string{StartTime: quartz.FromProp, EndTime: quartz.UntilProp, ClockChange: quartz.ClockChangeProp} {
		if value := r.text(variable, maxWord, false); value != "" {
			if props == nil {
				props = make(map[string]string)
			}
			props[prop], of[prop] = value, variable
		}
	}
	if change := props[quartz.ClockChangeProp]; change != "" && change != quartz.ClockChangeQuartz && change != quartz.ClockChangeOnce {
		r.config(of[quartz.ClockChangeProp], "is %q, want %s or %s; correct clockChange of the job", shown(change), quartz.ClockChangeQuartz, quartz.ClockChangeOnce)
		return nil
	}
	expression, err := quartz.ParseWith(cron, t.Job, props)
	if err == nil {
		err = expression.CheckJitter(time.Unix(0, 0), zone)
	}
	if rule, is := errors.AsType[*quartz.RuleError](err); is {
		r.config(of[rule.Property], "has %q for %s, want %s", shown(rule.Value), rule.Property, rule.Want)
	} else if err != nil {
		r.config(Cron, "is not a Quartz expression: %s; correct cron of the job", mask.Clip(err.Error(), maxProblem))
	}
	return expression
}

// address reads an absolute URL to post to.
func (r *reader) address() string {
	value := r.text(EventsURL, MaxURL, false)
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		// The error leaves out the value, because it may contain a password.
		r.refuse(EventsURL, "is not an address such as https://console.example.com/api/cloud/events, without a user and a password")
		return ""
	}
	return value
}

// Sampled reports whether to report the n-th run, counted from 1.
func (d *Daemon) Sampled(run int) bool { return d.Sampling <= 1 || run%d.Sampling == 0 }
