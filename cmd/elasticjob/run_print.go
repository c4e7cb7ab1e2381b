package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// run is a requested run, in any answer about it.
type run struct {
	api.RequestedRunDetail
	// After a request for it.
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning"`
}

// runs is a page of the requested runs of one job or of all jobs.
type runs struct {
	api.AllRequestedRuns
	Rows    []run `json:"rows"`
	Waiting int   `json:"waiting"`
	Ended   int   `json:"ended"`
}

// notes prints which runs are missing on the page.
func (a runs) notes(w io.Writer, ofAll bool) {
	switch {
	case a.NextCursor == "":
	case ofAll:
		fmt.Fprintf(w, "the first %d; there may be more\n", len(a.Rows))
	default:
		fmt.Fprintf(w, "the first %d of more; in all %d wait and %d have ended\n", len(a.Rows), a.Waiting, a.Ended)
	}
	if a.Registry == "unavailable" {
		fmt.Fprintln(w, "the console cannot read the registry now: runs that have not ended are missing")
	}
	if why := missingDatabase[a.Database]; why != "" {
		fmt.Fprintf(w, "%s: runs that have ended are missing\n", why)
	}
	if len(a.Unreadable) > 0 {
		fmt.Fprintf(w, "the console may not read the runs of %s\n", api.Plain(enumerate(a.Unreadable, 10)))
	}
}

// missingDatabase has the reasons why runs of the trace database are missing, by its state.
var missingDatabase = map[string]string{
	"no_database": "the console has no trace database", "no_tables": "the trace database has no tables of requested runs, which console migrate makes",
	"unavailable": "the console cannot read the trace database now",
}

// printRuns prints a table of runs; of several jobs with their names.
func printRuns(w io.Writer, runs []run, ofAll bool, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if ofAll {
		fmt.Fprint(t, "JOB\t")
	}
	fmt.Fprintln(t, "ID\tSTATE\tREQUESTED BY\tDUE\tBEGAN\tTOOK\tATTEMPT\tSHARDS\tNOTE")
	for _, r := range runs {
		cells := []string{
			r.ID, r.short(), requester(r.By), moment(r.DueAt), moment(r.StartTime), r.took(now), fmt.Sprint(r.Attempt), r.shardsOK(),
			jobtree.Clip(strings.Join(strings.Fields(r.Note), " "), 60),
		}
		if ofAll {
			cells = append([]string{r.JobName}, cells...)
		}
		for i, c := range cells {
			if cells[i] = api.Plain(c); c == "" && i < len(cells)-1 {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	return t.Flush()
}

func (r run) short() string {
	if r.Cancelling {
		return "cancelling"
	}
	return r.State
}

func (r run) state() jobrun.State { return jobrun.State(r.State) }

// shardsOK is how many shards have succeeded, of how many; empty before the run begins.
func (r run) shardsOK() string {
	if r.Shards.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", r.Shards.Succeeded, r.Shards.Total)
}

func requester(b api.Requester) string {
	if b.Name == "" {
		return b.Kind
	}
	return b.Name + " (" + b.Kind + ")"
}

// took is how long a run took, or takes until now.
func (r run) took(now time.Time) string {
	began, err := time.Parse(time.RFC3339Nano, r.StartTime)
	if err != nil {
		return ""
	}
	ended, err := time.Parse(time.RFC3339Nano, r.EndTime)
	switch {
	case err == nil:
		now = ended
	case r.state().Ended():
		return "" // Its end was never recorded.
	}
	took := max(now.Sub(began), 0)
	if took < 10*time.Second {
		return took.Round(time.Millisecond).String()
	}
	return took.Round(time.Second).String()
}

// ended is how a run ended, and why.
func (r run) ended() string {
	switch reason, state := api.Plain(r.Reason), r.State; {
	case reason == "":
		return state
	case strings.HasPrefix(reason, state): // "cancelled by root"
		return reason
	default:
		return state + ": " + reason
	}
}

// printRun prints all that is known of a run.
func printRun(w io.Writer, r run, now time.Time) {
	line := liner(w)
	line("run", r.ID)
	line("job", r.JobName)
	line("state", r.progress())
	line("reason", r.Reason)
	if r.Waiting != nil {
		line("waits", strings.TrimSpace(r.Waiting.Sentence+" "+r.Waiting.Remedy))
	}
	from := ""
	if r.By.From != "" {
		from = " from " + r.By.From
	}
	line("requested", moment(r.SubmittedAt)+" by "+requester(r.By)+from)
	line("due", moment(r.DueAt))
	line("expires", moment(r.ExpiresAt))
	line("began", moment(r.StartTime))
	line("ended", moment(r.EndTime))
	line("took", r.took(now))
	line("attempt", fmt.Sprintf("%d, after %d losses", r.Attempt, r.Losses))
	line("assign", string(r.Assign))
	line("key", r.Key)
	line("note", r.Note)
	line("repeats", r.Parent)
	line("parameters", string(r.Params))
	if r.Cancelled != nil {
		line("cancelled", strings.TrimSuffix(moment(r.Cancelled.At)+" by "+r.Cancelled.By+": "+r.Cancelled.Reason, ": "))
	}
	if s := r.Shards; s.Total > 0 {
		line("shards", fmt.Sprintf("%d: %d succeeded, %d failed, %d skipped, %d cancelled, %d running, %d waiting", s.Total, s.Succeeded, s.Failed, s.Skipped, s.Cancelled, s.Running, s.Waiting))
	}
	for _, s := range r.Details {
		printShard(w, s)
		if p, said := r.progressOf(s); said {
			fmt.Fprintln(w, "  progress "+api.Plain(strings.TrimSuffix(fmt.Sprintf("%d%%, %s", int(p.Fraction*100), p.Message), ", ")))
		}
	}
	if r.Error != "" {
		fmt.Fprintln(w, "error   "+strings.Join(plainLines(r.Error), "\n        "))
	}
	for _, s := range r.Steps {
		text := fmt.Sprintf("%s  attempt %d  %s by %s", moment(s.At), s.Attempt, s.State, s.Actor)
		fmt.Fprintln(w, api.Plain(strings.TrimSuffix(text+": "+s.Message, ": ")))
	}
}

// progressOf is how far the handler of a shard is that runs.
func (r run) progressOf(s api.RunShard) (last api.RunProgress, said bool) {
	for _, p := range r.Progress {
		if s.State == string(jobrun.Running) && p.Shard == s.Shard && p.Attempt == r.Attempt && (!said || p.At > last.At) {
			last, said = p, true
		}
	}
	return last, said
}

// done is the progress of a run, in tenths; 0 if no handler reports its progress.
func (r run) done() int {
	sum, known := float64(r.Shards.Succeeded+r.Shards.Skipped), false
	for _, s := range r.Details {
		if p, said := r.progressOf(s); said {
			sum, known = sum+p.Fraction, true
		}
	}
	if !known || r.Shards.Total == 0 {
		return 0
	}
	return min(int(10*sum/float64(r.Shards.Total)), 10)
}

func printShard(w io.Writer, s api.RunShard) {
	text := fmt.Sprintf("shard %d: %s", s.Shard, s.State)
	if s.Instance != "" {
		text += " on " + s.Instance
	}
	if s.Since != "" {
		text += " since " + moment(s.Since)
	}
	fmt.Fprintln(w, api.Plain(strings.TrimSuffix(text, ": ")))
	if s.Error != "" {
		fmt.Fprintln(w, "  error   "+strings.Join(plainLines(s.Error), "\n          "))
	}
	if len(s.Result) > 0 {
		fmt.Fprintln(w, "  result  "+api.Plain(string(s.Result)))
	}
}

// moment is a time of an answer as people read it; empty for none.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format("2006-01-02 15:04:05Z07:00")
}

func plainLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, l := range lines {
		lines[i] = api.Plain(strings.TrimRight(l, "\r"))
	}
	return lines
}

// enumerate lists at most n names.
func enumerate(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

func firstLine(text string) string { return jobtree.Clip(plainLines(text)[0], 300) }

// inShell is a word as a shell takes it.
func inShell(word string) string {
	if word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/@:", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(api.Plain(word), "'", `'\''`) + "'"
}
