package cloud

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

type problems struct{ all []error }

func (p *problems) refuse(field, value, want string) {
	p.all = append(p.all, &jobconfig.FieldError{Field: field, Value: cut(value, 200), Want: want})
}

func (p *problems) within(field string, value, least, most int) {
	if value < least || value > most {
		p.refuse(field, strconv.Itoa(value), number{least: least, most: most}.String())
	}
}

func (p *problems) amount(field string, value, least, most float64) {
	if math.IsNaN(value) || value < least || value > most {
		p.refuse(field, strconv.FormatFloat(value, 'g', -1, 64), fmt.Sprintf("a number from %g to %g", least, most))
	}
}

func (p *problems) name(field, value string) {
	count := utf8.RuneCountInString(value)
	if count == 0 || count > MaxName {
		p.refuse(field, value, fmt.Sprintf("1 to %d characters", MaxName))
		return
	}
	if err := jobconfig.ValidateName(value); err != nil {
		p.refuse(field, value, "a ZooKeeper node name without / and @-@: "+err.Error())
	}
}

// text refuses values that would be cut off in an environment variable.
func (p *problems) text(field, value string) {
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		p.refuse(field, strconv.Quote(value), "valid UTF-8 without a zero byte")
	}
}

var (
	sha256Digits = regexp.MustCompile(`\A[0-9a-f]{64}\z`)
	variable     = regexp.MustCompile(`\A[A-Za-z_][A-Za-z0-9_.-]*\z`)
)

// Validate returns all problems of the application, joined. Each is a [jobconfig.FieldError] with
// the field, the value and the allowed values. Engines check further requirements, such as an image.
func (a App) Validate() error {
	var p problems
	p.name("appName", a.Name)
	p.amount("cpuCount", a.CPU, LeastCPU, MaxCPU)
	p.amount("memoryMB", a.MemoryMB, LeastMemoryMB, MaxMemoryMB)
	p.within("eventTraceSamplingCount", a.EventSampling, 0, maxSampling)
	p.within("terminationGracePeriodSeconds", a.GraceSeconds, 0, maxGrace)
	if a.SHA256 != "" && !sha256Digits.MatchString(a.SHA256) {
		p.refuse("appSHA256", a.SHA256, "64 hexadecimal digits in lower case, as sha256sum prints them")
	}
	a.validateURL(&p)
	p.text("image", a.Image)
	p.text("bootstrapScript", a.BootstrapScript)
	if len(a.BootstrapScript) > MaxText {
		p.refuse("bootstrapScript", a.BootstrapScript, fmt.Sprintf("at most %d bytes", MaxText))
	}
	if strings.ContainsAny(a.Image, " \t\r\n") || len(a.Image) > maxURL {
		p.refuse("image", a.Image, fmt.Sprintf("a reference such as registry.example/shop@sha256:… of at most %d bytes without blanks", maxURL))
	}
	a.validateCommand(&p)
	if a.Pod != nil {
		a.Pod.validate(&p)
	}
	return errors.Join(p.all...)
}

func (a App) validateURL(p *problems) {
	if a.URL == "" {
		return
	}
	at, err := url.Parse(a.URL)
	switch {
	case err != nil || len(a.URL) > maxURL:
		p.refuse("appURL", a.URL, fmt.Sprintf("an address of at most %d bytes, such as https://repo.example/shop.tar.gz", maxURL))
	case at.User != nil:
		p.refuse("appURL", at.Redacted(), "an address without a user and a password, because documents are shown to users")
	case a.SHA256 == "" && a.Fetched():
		p.refuse("appSHA256", "", "the SHA-256 sum of the archive at appURL, because its programs are executed")
	}
}

func (a App) validateCommand(p *problems) {
	if n := len(a.Command) + len(a.Args); n > maxWords {
		p.refuse("command", strconv.Itoa(n)+" words", fmt.Sprintf("at most %d words with args", maxWords))
	}
	size := 0
	for _, word := range slices.Concat(a.Command, a.Args) {
		size += len(word)
		p.text("command", word)
	}
	if size > MaxText {
		p.refuse("command", strconv.Itoa(size)+" bytes", fmt.Sprintf("at most %d bytes with args", MaxText))
	}
	if len(a.Command) > 0 && a.Command[0] == "" {
		p.refuse("command", "", "a program as the first word")
	}
	if len(a.Env) > maxEnv {
		p.refuse("env", strconv.Itoa(len(a.Env))+" variables", fmt.Sprintf("at most %d", maxEnv))
		return
	}
	size = 0
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		size += len(name) + len(a.Env[name])
		p.text("env."+name, a.Env[name])
		if !variable.MatchString(name) || strings.HasPrefix(name, "ELASTICJOB_") {
			p.refuse("env", name, "a variable's name of letters, digits and _ that does not begin with ELASTICJOB_")
		}
	}
	if size > MaxText {
		p.refuse("env", strconv.Itoa(size)+" bytes", fmt.Sprintf("at most %d bytes", MaxText))
	}
}

// Validate returns all problems of the job, joined. Each is a [jobconfig.FieldError] with the field,
// the value and the allowed values. It doesn't check that the application exists; the scheduler does.
func (j Job) Validate() error {
	var p problems
	p.name("jobName", j.Name)
	p.name("appName", j.AppName)
	if j.Type != TypeTransient && j.Type != TypeDaemon {
		p.refuse("jobExecutionType", string(j.Type), "TRANSIENT or DAEMON")
	}
	if j.Type == TypeDaemon && j.Cron == "" {
		p.refuse("cron", "", "a Quartz expression, because the processes of a DAEMON job fire by it")
	}
	p.within("shardingTotalCount", j.Shards, 1, MaxShards)
	p.amount("cpuCount", j.CPU, LeastCPU, MaxCPU)
	p.amount("memoryMB", j.MemoryMB, LeastMemoryMB, MaxMemoryMB)
	p.within("maxTimeDiffSeconds", j.MaxTimeDiff, -1, jobconfig.MaxTimeDiffSeconds)
	p.within("reconcileIntervalMinutes", j.ReconcileMinutes, -1, jobconfig.MaxReconcileMinutes)
	if _, err := jobconfig.ParseItemParameters(j.ShardParameters); err != nil {
		p.refuse("shardingItemParameters", j.ShardParameters, "0=a,1=b: "+err.Error())
	}
	j.validateTexts(&p)
	j.validateProps(&p)
	if _, err := j.Script(); err != nil {
		p.all = append(p.all, err)
	}
	if len(j.Cron) > maxCron {
		p.refuse("cron", j.Cron, fmt.Sprintf("at most %d bytes", maxCron))
	} else if _, err := j.Schedule(time.UTC); err != nil {
		p.all = append(p.all, err)
	}
	if len(p.all) == 0 { // These rules belong to another document with the same fields.
		j.validateRegistry(&p)
	}
	return errors.Join(p.all...)
}

func (j Job) validateTexts(p *problems) {
	p.text("shardingItemParameters", j.ShardParameters)
	p.text("jobParameter", j.Parameter)
	p.text("description", j.Description)
	size := len(j.ShardParameters) + len(j.Parameter) + len(j.Description)
	for key, value := range j.Props {
		size += len(key) + len(value)
	}
	for key, value := range j.Compat {
		size += len(key) + len(value)
	}
	if size > MaxText {
		p.refuse("props", strconv.Itoa(size)+" bytes",
			fmt.Sprintf("at most %d bytes of jobParameter, shardingItemParameters, description, props and compat together", MaxText))
	}
	if n := len(j.Props) + len(j.Compat); n > maxProps {
		p.refuse("props", strconv.Itoa(n)+" properties", fmt.Sprintf("at most %d with compat", maxProps))
	}
}

func (j Job) validateProps(p *problems) {
	for _, key := range slices.Sorted(maps.Keys(j.Props)) {
		value := j.Props[key]
		field := "props." + key
		p.text(field, value)
		if rule, ok := numericProps[key]; ok {
			if n, err := strconv.Atoi(value); err != nil || !rule.Has(n) {
				p.refuse(field, value, rule.String())
			}
		}
		if rule, ok := durationProps[key]; ok {
			if d, err := time.ParseDuration(value); err != nil || !rule.has(d) {
				p.refuse(field, value, rule.String())
			}
		}
		if words, ok := chosenProps[key]; ok && !slices.Contains(words, value) {
			p.refuse(field, value, "one of "+strings.Join(words, ", "))
		}
		if key == PropFailoverNever {
			codes, err := exitCodes(value)
			if err != nil || len(codes) > 255 || slices.ContainsFunc(codes, func(c int) bool { return c < 1 || c > 255 }) {
				p.refuse(field, value, "exit codes from 1 to 255, separated by commas")
			}
		}
	}
}

// Validate returns all problems of a request for a run of a job, joined.
func (r Request) Validate(j Job) error {
	var p problems
	if n := utf8.RuneCountInString(r.Key); n == 0 || n > MaxKey {
		p.refuse("key", r.Key, fmt.Sprintf("1 to %d characters", MaxKey))
	}
	if len(r.Parameters) > MaxParameters {
		p.refuse("parameters", strconv.Itoa(len(r.Parameters))+" bytes", fmt.Sprintf("at most %d bytes", MaxParameters))
	} else if len(r.Parameters) > 0 {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(r.Parameters, &object); err != nil {
			p.refuse("parameters", string(r.Parameters), "one JSON object: "+err.Error())
		}
	}
	if len(r.Shards) > j.Shards || r.Shards != nil && len(r.Shards) == 0 {
		p.refuse("shards", strconv.Itoa(len(r.Shards))+" shards", fmt.Sprintf("1 to %d of the job's shards, or none for all", j.Shards))
	} else {
		for i, shard := range r.Shards {
			if shard < 0 || shard >= j.Shards || i > 0 && shard <= r.Shards[i-1] {
				p.refuse("shards", strconv.Itoa(shard), fmt.Sprintf("numbers from 0 to %d, each once and in ascending order", j.Shards-1))
				break
			}
		}
	}
	if r.NotBefore.Sub(r.Asked) > MaxDelay {
		p.refuse("notBefore", r.NotBefore.Format(time.RFC3339), "a moment at most 365 days ahead")
	}
	return errors.Join(p.all...)
}

// ErrPendingFull means that the limit for pending requests is reached. Some must run first.
var ErrPendingFull = errors.New("no room for another request")

// Ask appends a request for a run and returns the run's name. A request with the key of a pending
// one is the same request. The errors are those from [Request.Validate], [ErrPendingFull], and
// ErrRefused for a disabled job or a DAEMON.
func (d *Definition) Ask(r Request) (run string, err error) {
	switch {
	case d.Job.Type == TypeDaemon:
		return "", fmt.Errorf("job %q is a DAEMON job, which has no requested runs: %w", d.Job.Name, ErrRefused)
	case d.Job.Disabled:
		return "", fmt.Errorf("job %q is disabled; enable it first: %w", d.Job.Name, ErrRefused)
	}
	if err := r.Validate(d.Job); err != nil {
		return "", err
	}
	run = ManualRunName(d.Job.Name, r.Key)
	if slices.ContainsFunc(d.Status.Requests, func(old Request) bool { return old.Key == r.Key }) {
		return run, nil
	}
	if most := d.Job.PendingMax(); len(d.Status.Requests) >= most {
		return "", fmt.Errorf("job %q has %d pending requests, %s allows %d: %w", d.Job.Name, len(d.Status.Requests), PropPendingMax, most, ErrPendingFull)
	}
	d.Status.Requests = append(d.Status.Requests, r)
	return run, nil
}
