package cloud

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// eventBurst and eventRefill are how many reported executions of a job are taken: so
	// many at once, and one more each.
	eventBurst  = 1000
	eventRefill = 10 * time.Millisecond
	// The bounds of what is said of an execution: those of its columns.
	maxEventTask = 255
	maxEventHost = 255
	maxEventIP   = 50
	// eventPast and eventFuture bound its times: a process keeps what it could not report
	// for a while, and its clock may be off.
	eventPast   = 31 * 24 * time.Hour
	eventFuture = time.Hour
	// mostWrongEvents is how many wrong fields an answer names.
	mostWrongEvents = 20
)

var eventID = regexp.MustCompile(`\A[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\z`)

// cloudReportRequest is [event.Report].
type cloudReportRequest struct {
	Executions []cloudReportedRun `json:"executions"`
}

// cloudReportedRun is [event.Execution]. A time that is none is refused by its name.
type cloudReportedRun struct {
	ID        string `json:"id"`
	TaskID    string `json:"taskId"`
	Item      int    `json:"item"`
	Host      string `json:"hostname"`
	IP        string `json:"ip"`
	Scheduled string `json:"scheduledAt"`
	Started   string `json:"startTime"`
	Ended     string `json:"completeTime,omitempty"`
	Cause     string `json:"failureCause,omitempty"`
}

// reportLimits bound the rows that jobs make of reports. It is safe for concurrent use.
type reportLimits struct {
	mu   sync.Mutex
	jobs *auth.Buckets
}

func newReportLimits() *reportLimits {
	return &reportLimits{jobs: auth.NewBuckets(eventRefill, eventBurst, auth.MaxBuckets)}
}

// admit takes so many executions of a job, or says in how many seconds it would.
func (l *reportLimits) admit(job string, count int, now time.Time) (wait int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.jobs.Of(job, now).ReserveN(now, count)
	delay := r.DelayFrom(now)
	if delay <= 0 {
		return 0
	}
	r.CancelAt(now)
	return auth.RetryAfter(delay)
}

// events stores the reports of a process of a DAEMON job about its runs.
func events(limits *reportLimits) handler {
	return func(r *call) error {
		job, shard, err := r.reporter()
		if err != nil {
			return err
		}
		var report cloudReportRequest
		if err := app.ReadJSON(r.c, &report); err != nil {
			return err
		}
		if len(report.Executions) > event.MaxExecutions {
			return reportTooMany()
		}
		rows, err := reportedRows(report.Executions, job, shard, r.now)
		if err != nil {
			return err
		}
		// An empty report counts, too, because otherwise it would have no bound.
		if wait := limits.admit(job, max(1, len(rows)), r.now); wait > 0 {
			return reportTooOften(job, wait)
		}
		if err := r.Record(rows); err != nil {
			return err
		}
		r.c.Status(http.StatusAccepted)
		return nil
	}
}

// reportedRows are the rows of a report, or what is wrong with it: nothing of it is taken
// then.
func reportedRows(list []cloudReportedRun, job string, shard int, now time.Time) (rows []tracing.Execution, err error) {
	var wrong []app.FieldBody
	for i, run := range list {
		field := "executions[" + strconv.Itoa(i) + "]."
		shard, shared := shard, shard == cloud.AnyShard
		if shared {
			shard = min(max(0, run.Item), cloud.MaxShards-1)
		}
		if run.Item != shard {
			return nil, reportForeign(app.FieldBody{Field: field + "item", Value: strconv.Itoa(run.Item), Want: strconv.Itoa(shard) + ", that of the token"})
		}
		if parts := strings.Split(run.TaskID, "@-@"); len(parts) == 5 && (parts[0] != job || !shared && parts[1] != strconv.Itoa(shard)) {
			return nil, reportForeign(app.FieldBody{Field: field + "taskId", Value: view.Clip(run.TaskID, 100), Want: fmt.Sprintf("one of shard %d of job %s", shard, job)})
		}
		reported, problems := run.read(now)
		for _, p := range problems {
			p.Field = field + p.Field
			wrong = append(wrong, p)
		}
		rows = append(rows, cloud.ReportedRow(job, shard, reported))
	}
	if len(wrong) > 0 {
		return nil, reportMalformed(wrong[:min(len(wrong), mostWrongEvents)])
	}
	return rows, nil
}

// read checks all values of a run.
func (r cloudReportedRun) read(now time.Time) (cloud.Reported, []app.FieldBody) {
	var wrong []app.FieldBody
	refuse := func(field, value, want string) {
		wrong = append(wrong, app.FieldBody{Field: field, Value: view.Clip(value, 60), Want: want})
	}
	if !eventID.MatchString(r.ID) {
		refuse("id", r.ID, "a UUID")
	}
	if parts := strings.Split(r.TaskID, "@-@"); len(parts) != 5 || slices.Contains(parts, "") || utf8.RuneCountInString(r.TaskID) > maxEventTask {
		refuse("taskId", r.TaskID, fmt.Sprintf("the five parts of ELASTICJOB_TASK_ID, of at most %d characters", maxEventTask))
	}
	for _, text := range []struct {
		field, value string
		most         int
	}{{"hostname", r.Host, maxEventHost}, {"ip", r.IP, maxEventIP}} {
		if utf8.RuneCountInString(text.value) > text.most {
			refuse(text.field, text.value, fmt.Sprintf("at most %d characters", text.most))
		}
	}
	if len(r.Cause) > event.MaxCause {
		refuse("failureCause", r.Cause, fmt.Sprintf("at most %d bytes", event.MaxCause))
	}
	at := func(field, value string) time.Time {
		t, err := time.Parse(time.RFC3339, value)
		if err != nil || t.Before(now.Add(-eventPast)) || t.After(now.Add(eventFuture)) {
			refuse(field, value, "an instant of RFC 3339, from 31 days ago to one hour from now")
		}
		return t.UTC()
	}
	out := cloud.Reported{ID: strings.ToLower(r.ID), TaskID: r.TaskID, Host: r.Host, IP: r.IP, Fire: at("scheduledAt", r.Scheduled), Started: at("startTime", r.Started), Cause: r.Cause}
	switch {
	case r.Ended != "":
		if out.Ended = at("completeTime", r.Ended); out.Ended.Before(out.Started) {
			refuse("completeTime", r.Ended, "not before startTime")
		}
	case r.Cause != "":
		refuse("failureCause", r.Cause, "none before completeTime: a run that has failed has ended")
	}
	return out, wrong
}

// reporter is the process of a DAEMON job that sends the request, by the token of its header
// Authorization. Sessions, accounts and other headers don't count.
func (r *call) reporter() (job string, shard int, err error) {
	who, ok := r.Engine.(cloud.Reporters)
	if can := r.Engine.Capabilities(); !ok || !can.Daemons || r.Record == nil {
		return "", 0, fmt.Errorf("reports need processes of DAEMON jobs, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	scheme, token, _ := strings.Cut(r.c.GetHeader("Authorization"), " ")
	if token = strings.TrimSpace(token); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", 0, notReporter(auth.TokenMissing)
	}
	job, shard, err = who.Reporter(r.ctx, token)
	if errors.Is(err, cloud.ErrRefused) && !errors.Is(err, cloud.ErrForbidden) {
		return "", 0, notReporter(auth.TokenInvalid)
	}
	return job, shard, err
}

// notReporter is the answer to a process without a token of its own.
func notReporter(why auth.Denial) *app.Problem {
	return &app.Problem{
		Kind: app.KindUnauthorized, Code: string(why), Message: "This is no token of a process of a DAEMON job.",
		Hint: "Send the content of the file that ELASTICJOB_EVENTS_TOKEN_FILE names as Authorization: Bearer.",
	}
}

// reportTooMany is the answer to a report with too many executions.
func reportTooMany() *app.Problem {
	return &app.Problem{
		Kind: app.KindTooLarge, Code: "too_large", Message: fmt.Sprintf("The report has more than %d executions.", event.MaxExecutions),
		Hint: "Send it in parts; nothing of it was taken.",
	}
}

// reportForeign is the answer to a report about another job or shard.
func reportForeign(field app.FieldBody) *app.Problem {
	return &app.Problem{
		Kind: app.KindForbidden, Code: "forbidden", Message: "A process reports its own runs: " + field.Field + " is about another job or shard.",
		Hint: "Nothing was taken.", Fields: []app.FieldBody{field},
	}
}

// reportMalformed is the answer to a report with values that cannot be.
func reportMalformed(fields []app.FieldBody) *app.Problem {
	p := invalid(fields...)
	p.Kind, p.Code, p.Hint = app.KindMalformed, "malformed", "Correct the fields; nothing of the report was taken."
	return p
}

// reportTooOften is the answer to more rows than a job may have; wait is in seconds.
func reportTooOften(job string, wait int) *app.Problem {
	return &app.Problem{
		Kind: app.KindTooMany, Code: "too_often", Retry: wait, Message: fmt.Sprintf("Job %q reports more runs than are taken.", job),
		Hint: "Try again later, or have fewer of them reported: eventTraceSamplingCount of the application.",
	}
}

// RowsAway is the answer while rows that are reported cannot be stored.
func RowsAway(cause error) *app.Problem {
	return &app.Problem{
		Kind: app.KindUnavailable, Code: "database_unavailable", Message: "The history cannot take rows at present.",
		Hint: "Keep the report and send it again; nothing of it was taken.", Retry: app.ReloadSeconds, Cause: cause,
	}
}
