package console

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// ReadHistory reads something of the history, within what a request may take.
func ReadHistory[T any](s *Console, c *gin.Context, read func(context.Context, History) (T, error)) (answer T, err error) {
	if s.HistoryOf(c) == nil {
		return answer, NoHistory(c)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if answer, err = read(ctx, s.HistoryOf(c)); err != nil && !errors.Is(err, rdb.ErrNotFound) {
		return answer, HistoryProblem(err)
	}
	return answer, err
}

func maskedRun(r rdb.Run) rdb.Run {
	r.Cause, r.Executions = mask.Text(r.Cause), maskedExecutions(r.Executions)
	return r
}

// ReadRuns reads a page of runs, as the caller may see them.
func (s *Console) ReadRuns(c *gin.Context, f rdb.RunFilter) (rdb.RunPage, error) {
	page, err := ReadHistory(s, c, func(ctx context.Context, h History) (rdb.RunPage, error) { return h.Runs(ctx, f) })
	if LooksOnly(c) {
		for i := range page.Runs {
			page.Runs[i] = maskedRun(page.Runs[i])
		}
	}
	return page, err
}

// RunsOfJobs narrows a filter to the jobs that have a part of a label and of a name, as
// the search of runs asks. Jobs that no longer exist are found by how their name begins.
// problems say that there are more jobs than a filter can have.
func RunsOfJobs(s *Console, c *gin.Context, f *rdb.RunFilter, label, name string) (problems query.Problems, err error) {
	if label == "" && name == "" {
		return nil, nil
	}
	list, err := s.ReadJobs(c)
	if err != nil {
		return nil, err
	}
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	f.Jobs = []string{}
	for _, j := range list {
		if has(j.Label, label) && has(j.Name, name) {
			f.Jobs = append(f.Jobs, j.Name)
		}
	}
	switch n := len(f.Jobs); {
	case n == 0 && label == "" && f.JobName == "" && f.JobPrefix == "":
		f.JobPrefix, f.Jobs = name, nil
	case n > rdb.MaxJobs:
		f.Jobs = f.Jobs[:rdb.MaxJobs]
		problems = append(problems, func(l i18n.Lang) string { return l.AddressManyJobs(strconv.Itoa(n), strconv.Itoa(rdb.MaxJobs)) })
	}
	return problems, nil
}

// OneRun is a run with what belongs to it.
type OneRun struct {
	rdb.Run
	// Before and After are the ids of the job's runs beside it, "" for none.
	Before, After string
	// Trail are the steps of its tasks, oldest first.
	Trail []tracing.Status
}

// mostTasks is of how many tasks a run's trail is read: each instance has one.
const mostTasks = 50

// ReadRun reads the run that the address names.
func (s *Console) ReadRun(c *gin.Context) (run OneRun, err error) {
	if run.Run, err = s.findRun(c); err != nil {
		return run, err
	}
	if run.Before, err = ReadHistory(s, c, func(ctx context.Context, h History) (before string, err error) {
		before, run.After, err = h.Neighbours(ctx, run.Run)
		return before, err
	}); err != nil {
		return run, err
	}
	if run.Trail, err = readTrail(run.Run, s.Now(), func(f rdb.StatusFilter) (rdb.StatusPage, error) { return s.ReadStatuses(c, f) }); err != nil {
		return run, err
	}
	if LooksOnly(c) {
		run.Run = maskedRun(run.Run)
	}
	return run, nil
}

// findRun reads the run that the address names, without hiding anything.
func (s *Console) findRun(c *gin.Context) (rdb.Run, error) {
	job, err := JobName(c)
	if err != nil {
		return rdb.Run{}, err
	}
	id, err := url.PathUnescape(c.Param("run"))
	if err != nil {
		return rdb.Run{}, MalformedAs(i18n.Lang.ProblemEscapedRun, i18n.Lang.ProblemEscapedHint)
	}
	run, err := ReadHistory(s, c, func(ctx context.Context, h History) (rdb.Run, error) { return h.Run(ctx, job, id) })
	if errors.Is(err, rdb.ErrNotFound) {
		return run, Problem{Kind: KindNotFound, Code: "not_found", GoTo: JobPath("/jobs", job), GoToLabel: i18n.Lang.ProblemBackToJob}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNoRun(strconv.Quote(view.Clip(job, 100)), strconv.Quote(view.Clip(id, 60))), l.ProblemNoRunHint()
		})
	}
	return run, err
}

// LogOfRun is lines of the log of a run of the history, with its executions that have any.
type LogOfRun struct {
	rdb.Run
	RunLog
	Logs []rdb.LogOf
}

// ReadLogOfRun reads lines of the log of the run that the address names.
func (s *Console) ReadLogOfRun(c *gin.Context, f query.RunLog) (found LogOfRun, err error) {
	if found.Run, err = s.findRun(c); err != nil {
		return found, err
	}
	var state RecordState
	if found.Logs, state = s.LogsOfRun(c, found.Run, -1); state != Recorded {
		return found, NoLog(state)
	}
	found.RunLog, err = s.ReadLog(c, found.JobName, found.ID, found.Logs, f)
	return found, err
}

// readTrail reads the steps of a run's tasks. Java's task ids are those of all
// runs of an assignment: only the steps of the run's time are its own. Ours are
// those of one run, whose first steps may be older than its first execution.
func readTrail(r rdb.Run, now time.Time, read func(rdb.StatusFilter) (rdb.StatusPage, error)) ([]tracing.Status, error) {
	from, to := r.Start.Add(-time.Second), r.End.Add(time.Second)
	if r.End.IsZero() {
		to = now.Add(time.Minute)
	}
	var trail []tracing.Status
	seen := map[string]bool{}
	for _, e := range r.Executions {
		if seen[e.TaskID] || e.TaskID == "" || len(seen) == mostTasks {
			continue
		}
		seen[e.TaskID] = true
		f := rdb.StatusFilter{TaskID: e.TaskID, JobName: r.JobName, Limit: 200}
		if task, err := jobtree.ParseTaskID(e.TaskID); err != nil || task.Turn == "" {
			f.From, f.To = from, to
		}
		page, err := read(f)
		if err != nil {
			return nil, err
		}
		trail = append(trail, page.Rows...)
	}
	sortTrail(trail)
	return trail, nil
}

// Summarize reads what the runs of a filter have in common, as it is or was some
// seconds ago.
func (s *Console) Summarize(c *gin.Context, f rdb.RunFilter) (rdb.Summary, error) {
	f.Cursor, f.Limit = "", 0 // It is about all of them.
	sum, err := sharedOf(s, c, &s.summaries, []any{f}, func(ctx context.Context, h History) (rdb.Summary, error) { return h.Summarize(ctx, f, s.Now()) })
	if LooksOnly(c) {
		sum.Causes = slices.Clone(sum.Causes)
		for i := range sum.Causes {
			sum.Causes[i].Label, sum.Causes[i].Value = mask.Text(sum.Causes[i].Label), mask.Text(sum.Causes[i].Value)
		}
	}
	return sum, err
}

// ReadHistogram reads when the executions of a filter began, as it is or was some
// seconds ago.
func (s *Console) ReadHistogram(c *gin.Context, f rdb.RunFilter, from, to time.Time, buckets int) ([]rdb.Bucket, error) {
	f.Cursor, f.Limit = "", 0
	return sharedOf(s, c, &s.histograms, []any{f, from, to, buckets}, func(ctx context.Context, h History) ([]rdb.Bucket, error) {
		return h.Histogram(ctx, f, from, to, buckets)
	})
}

// sharedOf is [ReadHistory] of what requests share that ask the same.
func sharedOf[T any](s *Console, c *gin.Context, by *shared[T], asked []any, read func(context.Context, History) (T, error)) (T, error) {
	return ReadHistory(s, c, func(ctx context.Context, h History) (T, error) {
		if h != s.opts.History { // one that was entered
			return read(ctx, h)
		}
		question, err := json.Marshal(asked)
		if err != nil {
			panic(fmt.Sprintf("console: JSON of a filter: %v", err)) // our own plain structs
		}
		return by.of(c, s, string(question), func(ctx context.Context) (T, error) { return read(ctx, h) })
	})
}

// HistoryLacks names the columns of a run that the trace database has not.
func (s *Console) HistoryLacks(c *gin.Context) ([]string, error) {
	return ReadHistory(s, c, func(ctx context.Context, h History) ([]string, error) { return h.Lacks(ctx) })
}

// MostExported is how many runs an export has at most.
const MostExported = 10_000

// ExportedRun is a run as it is exported.
type ExportedRun struct {
	Job         string   `json:"jobName"`
	ID          string   `json:"id"`
	Grouped     bool     `json:"grouped"`
	State       string   `json:"state"`
	Trigger     string   `json:"trigger,omitempty"`
	ScheduledAt string   `json:"scheduledAt,omitempty"`
	Start       string   `json:"startTime"`
	End         string   `json:"completeTime,omitempty"`
	Shards      int      `json:"shards"`
	Failed      int      `json:"failed"`
	Lost        int      `json:"lost"`
	Instances   []string `json:"instances"`
	Cause       string   `json:"failureCause,omitempty"`
}

// RunsExport is the runs of a filter; without complete there are more.
type RunsExport struct {
	Rows     []ExportedRun `json:"rows"`
	Complete bool          `json:"complete"`
}

// ExportRuns answers with the runs of a filter as a file, JSON or CSV.
func (s *Console) ExportRuns(c *gin.Context) error {
	f, problems := query.ParseRuns(c.Request.URL.Query())
	more, err := RunsOfJobs(s, c, &f, c.Query("label"), c.Query("name"))
	if err != nil {
		return err
	}
	problems = append(problems, more...)
	format := c.DefaultQuery("format", "json")
	if format != "json" && format != "csv" {
		problems = append(problems, func(l i18n.Lang) string {
			return l.AddressNeither("format", strconv.Quote(view.Clip(format, 40)), "csv", "json")
		})
	}
	if len(problems) > 0 {
		return Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	export := RunsExport{Rows: []ExportedRun{}}
	for f.Limit, f.Cursor = 500, ""; !export.Complete && len(export.Rows) < MostExported; {
		page, err := s.ReadRuns(c, f)
		if err != nil {
			return err
		}
		for _, r := range page.Runs {
			export.Rows = append(export.Rows, exportedRun(r))
		}
		f.Cursor, export.Complete = page.NextCursor, page.NextCursor == ""
	}
	c.Header("Content-Disposition", `attachment; filename="runs.`+format+`"`)
	if format == "csv" {
		return writeCSV(c, export)
	}
	body, err := json.Marshal(export)
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", body)
	return nil
}

func exportedRun(r rdb.Run) ExportedRun {
	text := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	return ExportedRun{Job: r.JobName, ID: r.ID, Grouped: r.Grouped, State: string(r.State), Trigger: string(r.Trigger), ScheduledAt: text(r.ScheduledAt),
		Start: text(r.Start), End: text(r.End), Shards: r.Shards, Failed: r.Failed, Lost: r.Lost, Instances: r.IPs, Cause: r.Cause}
}

// writeCSV writes an export for spreadsheets. A header says if there are more.
func writeCSV(c *gin.Context, export RunsExport) error {
	c.Header("X-Complete", strconv.FormatBool(export.Complete))
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Status(http.StatusOK)
	rows := [][]string{{"job", "run", "grouped", "state", "trigger", "scheduled_at", "started", "ended", "shards", "failed", "lost", "instances", "failure"}}
	for _, r := range export.Rows {
		rows = append(rows, []string{r.Job, r.ID, strconv.FormatBool(r.Grouped), r.State, r.Trigger, r.ScheduledAt, r.Start, r.End,
			strconv.Itoa(r.Shards), strconv.Itoa(r.Failed), strconv.Itoa(r.Lost), strings.Join(r.Instances, " "), r.Cause})
	}
	return WriteRows(c, rows)
}

// WriteRows writes lines of a CSV file, whose cells no spreadsheet runs.
func WriteRows(c *gin.Context, rows [][]string) error {
	w := csv.NewWriter(c.Writer)
	for _, row := range rows {
		for i := range row {
			row[i] = inertCell(row[i])
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// inertCell is a text as a cell that no spreadsheet takes for a formula: those look
// at the first character that shows, some of the full width, too.
func inertCell(text string) string {
	shown := strings.TrimLeft(text, " \t\r\n\u00a0\u3000\ufeff\x00")
	if shown != text && shown != "" || strings.ContainsAny(text[:min(1, len(text))], "\t\r\n") {
		return "'" + text
	}
	for _, begin := range []string{"=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(shown, begin) {
			return "'" + text
		}
	}
	return text
}

// sortTrail sorts steps, the oldest first; those of one instant were read with the
// later step first.
func sortTrail(trail []tracing.Status) {
	slices.Reverse(trail)
	slices.SortStableFunc(trail, func(a, b tracing.Status) int { return a.CreationTime.Compare(b.CreationTime) })
}
