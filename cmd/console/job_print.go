package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// runAnswer is a run as the REST interface has it.
type runAnswer struct {
	JobName     string          `json:"jobName"`
	ID          string          `json:"id"`
	State       jobrun.State    `json:"state"`
	Cancelling  bool            `json:"cancelling"`
	Reason      string          `json:"reason"`
	SubmittedAt string          `json:"submittedAt"`
	DueAt       string          `json:"dueAt"`
	ExpiresAt   string          `json:"expiresAt"`
	StartTime   string          `json:"startTime"`
	EndTime     string          `json:"completeTime"`
	Attempt     int             `json:"attempt"`
	Losses      int             `json:"losses"`
	Assign      string          `json:"assign"`
	By          byAnswer        `json:"by"`
	Key         string          `json:"key"`
	Note        string          `json:"note"`
	Parent      string          `json:"parent"`
	Params      json.RawMessage `json:"params"`
	Shards      struct {
		Total, Succeeded, Failed, Skipped, Cancelled, Running, Waiting int
	} `json:"shards"`
	Cancelled *struct{ By, At, Reason string }  `json:"cancelled"`
	Waiting   struct{ Sentence, Remedy string } `json:"waiting"`
	Details   []shardAnswer                     `json:"details"`
	Error     string                            `json:"error"`
	Source    string                            `json:"source"`
	// What the trace database has of it; Record says whether it has anything.
	Record   string           `json:"record"`
	Steps    []stepAnswer     `json:"steps"`
	Progress []progressAnswer `json:"progress"`
	Logs     []logOfAnswer    `json:"logs"`
	// Of a run that was requested just now.
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning"`
}

type byAnswer struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	From string `json:"from"`
}

type shardAnswer struct {
	Shard    int             `json:"shard"`
	State    string          `json:"state"`
	Instance string          `json:"instance"`
	Since    string          `json:"since"`
	Error    string          `json:"error"`
	Result   json.RawMessage `json:"result"`
}

type stepAnswer struct {
	At      string `json:"at"`
	State   string `json:"state"`
	Attempt int    `json:"attempt"`
	Actor   string `json:"actor"`
	Message string `json:"message"`
}

type progressAnswer struct {
	Shard    int     `json:"shard"`
	Attempt  int     `json:"attempt"`
	Fraction float64 `json:"fraction"`
	Message  string  `json:"message"`
	At       string  `json:"at"`
}

// runsAnswer is a page of runs.
type runsAnswer struct {
	Rows       []runAnswer `json:"rows"`
	NextCursor string      `json:"nextCursor"`
	Waiting    int         `json:"waiting"`
	Ended      int         `json:"ended"`
	// Of the runs of all jobs: what could be read.
	Registry   string   `json:"registry"`
	Database   string   `json:"database"`
	Unreadable []string `json:"unreadable"`
}

// notes says what of the runs the page does not have.
func (a runsAnswer) notes(w io.Writer, ofAll bool) {
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
		fmt.Fprintf(w, "the console may not read the runs of %s\n", plain(view.Enumerate(a.Unreadable, 10)))
	}
}

// missingDatabase says why runs of the trace database are missing, by its state.
var missingDatabase = map[string]string{
	"no_database": "the console has no trace database", "no_tables": "the trace database has no tables of requested runs, which console migrate makes",
	"unavailable": "the console cannot read the trace database now",
}

// printRuns prints a table of runs; of several jobs with their names.
func printRuns(w io.Writer, runs []runAnswer, ofAll bool, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if ofAll {
		fmt.Fprint(t, "JOB\t")
	}
	fmt.Fprintln(t, "ID\tSTATE\tREQUESTED BY\tDUE\tBEGAN\tTOOK\tATTEMPT\tSHARDS\tNOTE")
	for _, r := range runs {
		cells := []string{
			r.ID, r.short(), r.By.String(), moment(r.DueAt), moment(r.StartTime), r.took(now), fmt.Sprint(r.Attempt), r.shardsOK(),
			view.Clip(strings.Join(strings.Fields(r.Note), " "), 60),
		}
		if ofAll {
			cells = append([]string{r.JobName}, cells...)
		}
		for i, c := range cells {
			if cells[i] = plain(c); c == "" && i < len(cells)-1 {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	return t.Flush()
}

func (r runAnswer) short() string {
	if r.Cancelling {
		return "cancelling"
	}
	return string(r.State)
}

// shardsOK is how many shards have succeeded, of how many; empty before the run begins.
func (r runAnswer) shardsOK() string {
	if r.Shards.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", r.Shards.Succeeded, r.Shards.Total)
}

func (b byAnswer) String() string {
	if b.Name == "" {
		return b.Kind
	}
	return b.Name + " (" + b.Kind + ")"
}

// took is how long a run took, or takes until now.
func (r runAnswer) took(now time.Time) string {
	began, err := time.Parse(time.RFC3339Nano, r.StartTime)
	if err != nil {
		return ""
	}
	ended, err := time.Parse(time.RFC3339Nano, r.EndTime)
	switch {
	case err == nil:
		now = ended
	case r.State.Ended():
		return "" // Its end was never recorded.
	}
	took := max(now.Sub(began), 0)
	if took < 10*time.Second {
		return took.Round(time.Millisecond).String()
	}
	return took.Round(time.Second).String()
}

// ended is how a run ended, and why.
func (r runAnswer) ended() string {
	switch reason, state := plain(r.Reason), string(r.State); {
	case reason == "":
		return state
	case strings.HasPrefix(reason, state): // "cancelled by root"
		return reason
	default:
		return state + ": " + reason
	}
}

// printRun prints all that is known of a run.
func printRun(w io.Writer, r runAnswer, now time.Time) {
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-11s %s\n", name, plain(value))
		}
	}
	line("run", r.ID)
	line("job", r.JobName)
	line("state", r.progress())
	line("reason", r.Reason)
	line("waits", strings.TrimSpace(r.Waiting.Sentence+" "+r.Waiting.Remedy))
	from := ""
	if r.By.From != "" {
		from = " from " + r.By.From
	}
	line("requested", moment(r.SubmittedAt)+" by "+r.By.String()+from)
	line("due", moment(r.DueAt))
	line("expires", moment(r.ExpiresAt))
	line("began", moment(r.StartTime))
	line("ended", moment(r.EndTime))
	line("took", r.took(now))
	line("attempt", fmt.Sprintf("%d, after %d losses", r.Attempt, r.Losses))
	line("assign", r.Assign)
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
		s.print(w)
		if p, said := r.progressOf(s); said {
			fmt.Fprintln(w, "  progress "+plain(strings.TrimSuffix(fmt.Sprintf("%d%%, %s", int(p.Fraction*100), p.Message), ", ")))
		}
	}
	if r.Error != "" {
		fmt.Fprintln(w, "error   "+strings.Join(plainLines(r.Error), "\n        "))
	}
	for _, s := range r.Steps {
		text := fmt.Sprintf("%s  attempt %d  %s by %s", moment(s.At), s.Attempt, s.State, s.Actor)
		fmt.Fprintln(w, plain(strings.TrimSuffix(text+": "+s.Message, ": ")))
	}
}

// progressOf is how far the handler of a shard is that runs.
func (r runAnswer) progressOf(s shardAnswer) (last progressAnswer, said bool) {
	for _, p := range r.Progress {
		if s.State == string(jobrun.Running) && p.Shard == s.Shard && p.Attempt == r.Attempt && (!said || p.At > last.At) {
			last, said = p, true
		}
	}
	return last, said
}

// done is how much of a run is done, in tenths; 0 if no handler says how far it is.
func (r runAnswer) done() int {
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

func (s shardAnswer) print(w io.Writer) {
	text := fmt.Sprintf("shard %d: %s", s.Shard, s.State)
	if s.Instance != "" {
		text += " on " + s.Instance
	}
	if s.Since != "" {
		text += " since " + moment(s.Since)
	}
	fmt.Fprintln(w, plain(strings.TrimSuffix(text, ": ")))
	if s.Error != "" {
		fmt.Fprintln(w, "  error   "+strings.Join(plainLines(s.Error), "\n          "))
	}
	if len(s.Result) > 0 {
		fmt.Fprintln(w, "  result  "+plain(string(s.Result)))
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

// plain is a text of somebody else on one line, without what a terminal would obey or
// what turns its direction.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func plainLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, l := range lines {
		lines[i] = plain(strings.TrimRight(l, "\r"))
	}
	return lines
}

func firstLine(text string) string { return view.Clip(plainLines(text)[0], 300) }

// inShell is a word as a shell takes it.
func inShell(word string) string {
	if word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/@:", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(plain(word), "'", `'\''`) + "'"
}
