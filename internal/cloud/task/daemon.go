package task

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// The bounds of what only a DAEMON's environment has; those of package cloud.
const (
	MaxCron     = 1000
	MaxURL      = 2000
	MaxSampling = 1 << 30
	MaxPort     = 65535
)

// Daemon is how a process of a DAEMON job fires, and what it reports.
type Daemon struct {
	// Expression has the rules that the job's properties make.
	Expression *quartz.Expression
	Zone       *time.Location
	// Misfire makes up, by one run, for the fire times that pass during a run.
	Misfire bool
	// Sampling reports each so many-th run; 0 and 1 all.
	Sampling int
	// EventsURL is where runs are reported, "" for nowhere; TokenFile has the token for it.
	EventsURL, TokenFile string
	// ReadyPort is where the process says at [ReadyPath] whether it fires; 0 for nowhere.
	ReadyPort int
}

// ReadyPath is the address at which a process says whether it fires.
const ReadyPath = "/readyz"

// Next is the first fire time after a moment, false if there is none.
func (d *Daemon) Next(after time.Time) (time.Time, bool) {
	return d.Expression.NextOfAll(after, d.Zone)
}

// daemon reads what only a process that fires for itself has, after the properties.
func (r *reader) daemon(t Task) *Daemon {
	d := &Daemon{
		Zone: r.zone(), Misfire: r.misfire(), Sampling: r.number(EventSampling, 0, MaxSampling, 0),
	}
	d.EventsURL, d.TokenFile, d.ReadyPort = r.reporting()
	d.Expression = r.expression(t, d.Zone)
	return d
}

// reporting is where a process reports its runs, with which token, and where it says whether
// it fires.
func (r *reader) reporting() (url, tokenFile string, readyPort int) {
	url, tokenFile = r.address(), r.text(EventsTokenFile, MaxURL, false)
	if r.env[ReadyPort] != "" {
		readyPort = r.number(ReadyPort, 1, MaxPort, 0)
	}
	if url != "" && r.env[EventsTokenFile] == "" {
		r.refuse(EventsTokenFile, "is not set, and %s is; without the file's token the console refuses what is reported", EventsURL)
	}
	return url, tokenFile, readyPort
}

// config refuses what the job's configuration says.
func (r *reader) config(variable, format string, args ...any) {
	r.errs = append(r.errs, &Error{variable, fmt.Sprintf(format, args...), true})
}

// zone is UTC if the environment names none.
func (r *reader) zone() *time.Location {
	name := r.text(TimeZone, maxWord, false)
	if name == "" {
		return time.UTC
	}
	zone, err := quartz.LoadZone(name)
	if err != nil {
		r.config(TimeZone, "is %q, want a zone that is known here, such as Europe/Berlin, or an offset such as GMT+08:00; a Go program in an image without a database of zones imports time/tzdata", shown(name))
		return time.UTC
	}
	return zone
}

// misfire is upstream's default if nothing is said.
func (r *reader) misfire() bool {
	value := r.env[Misfire]
	if value != "" && value != "true" && value != "false" {
		r.refuse(Misfire, "is %q, want true or false", shown(value))
	}
	return value == "true"
}

// expression is the schedule, with the job's fields and its properties of the same meaning.
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
		r.config(of[quartz.ClockChangeProp], "says %q, want %s or %s; correct clockChange of the job", shown(change), quartz.ClockChangeQuartz, quartz.ClockChangeOnce)
		return nil
	}
	expression, err := quartz.ParseWith(cron, t.Job, props)
	if err == nil {
		err = expression.CheckJitter(time.Unix(0, 0), zone)
	}
	if rule, is := errors.AsType[*quartz.RuleError](err); is {
		r.config(of[rule.Property], "says %q of %s, want %s", shown(rule.Value), rule.Property, rule.Want)
	} else if err != nil {
		r.config(Cron, "is no Quartz expression: %s; correct cron of the job", bounded(err.Error(), maxProblem))
	}
	return expression
}

// address is an absolute URL, as it is posted to.
func (r *reader) address() string {
	value := r.text(EventsURL, MaxURL, false)
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		// Not the value: whoever puts a password into it does not want to read it here.
		r.refuse(EventsURL, "is no address as https://console.example.com/api/cloud/events, without a user and a password")
		return ""
	}
	return value
}

// Sampled reports whether the run of a number, which counts from 1, is reported.
func (d *Daemon) Sampled(run int) bool { return d.Sampling <= 1 || run%d.Sampling == 0 }
