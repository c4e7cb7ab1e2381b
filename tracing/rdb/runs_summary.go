package rdb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// MaxSampled is the number of executions in a summary, the newest.
const MaxSampled = 10_000

// FacetCount is the number of runs with a value.
type FacetCount struct {
	// Value is the text to filter by, Label the text to show. They differ for causes: the Value of
	// a cause is only the literal part.
	Value, Label string
	Count        int
}

// Summary describes the runs that a filter selects.
type Summary struct {
	// Runs counts them. Facets count runs by value, the most frequent first.
	Runs                                      int
	States, Causes, Triggers, Jobs, Instances []FacetCount
	// Complete is false if there were more than [MaxSampled] executions. Then the counts cover only the newest.
	Complete bool
	// Took is the distribution of their durations. Before is the same one day earlier, if the
	// filter has a From.
	Took, Before Durations
}

// Durations is a distribution of durations.
type Durations struct {
	// Count is the number of durations. Exact is true if there are no more.
	Count int
	Exact bool
	// P50, P95 and P99 are percentiles.
	P50, P95, P99 time.Duration
	// Bins counts them by [BinOf].
	Bins [DurationBins]int
}

// DurationBins is the number of bins of a distribution: four per power of ten, from 10 ms. The
// first and the last bin also have everything shorter and longer.
const DurationBins = 24

// BinOf returns the bin of a duration.
func BinOf(d time.Duration) int {
	bin := int(math.Floor(4 * math.Log10(max(float64(d)/float64(10*time.Millisecond), 1))))
	return min(bin, DurationBins-1)
}

// BinBegin returns the shortest duration in a bin.
func BinBegin(bin int) time.Duration {
	return time.Duration(float64(10*time.Millisecond) * math.Pow(10, float64(bin)/4))
}

// DurationsOf returns the distribution of durations, and sorts them. exact means that they are complete.
func DurationsOf(took []time.Duration, exact bool) Durations {
	d := Durations{Count: len(took), Exact: exact}
	if len(took) == 0 {
		return d
	}
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)*percent+99)/100-1] }
	d.P50, d.P95, d.P99 = at(50), at(95), at(99)
	for _, t := range took {
		d.Bins[BinOf(t)]++
	}
	return d
}

// Summarize describes the runs that a filter selects by the newest [MaxSampled] executions that match
// it. Unlike in a list, a run's state only depends on these executions. now replaces a missing To.
func (s *Store) Summarize(ctx context.Context, filter RunFilter, now time.Time) (Summary, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	filter.Cursor = ""
	sum, err := read(ctx, s, "summarize runs", func(ctx context.Context, form shape) (Summary, error) {
		rows, complete, err := s.sample(ctx, form, filter)
		if err == nil {
			err = s.settle(ctx, rows)
		}
		if err != nil {
			return Summary{}, err
		}
		sum := summaryOf(rows, filter)
		sum.Complete = complete
		var took []time.Duration
		for _, e := range rows {
			if !e.CompleteTime.IsZero() {
				took = append(took, e.CompleteTime.Sub(e.StartTime))
			}
		}
		sum.Took = DurationsOf(took, complete)
		return sum, nil
	})
	if err != nil || filter.From.IsZero() {
		return sum, err
	}
	if filter.To.IsZero() {
		filter.To = now
	}
	const day = 24 * time.Hour
	f := filter.executions()
	f.From, f.To = f.From.Add(-day), f.To.Add(-day)
	sum.Before, err = read(ctx, s, "summarize runs of the day before", func(ctx context.Context, form shape) (Durations, error) {
		return s.durations(ctx, form, f)
	})
	return sum, err
}

// sampler returns a store that checks as many rows as a summary.
func (s *Store) sampler() *Store { return &Store{db: s.db, looks: MaxSampled} }

// sampleSelect selects only the columns for a summary, in the positions of executionSelect.
func (s shape) sampleSelect() string {
	run := "NULL AS run_id, NULL AS attempt, NULL AS trigger_word"
	if s.runs() {
		run = s.plain("e.run_id, e.attempt, e.trigger")
	}
	return s.plain("id, job_name") + ", '' AS task, '' AS host, " + s.plain("ip, sharding_item, execution_source") + ", SUBSTR(failure_cause, 1, 300) AS cause, " +
		s.plain("is_success, start_time, complete_time") + ", " + run + ", NULL AS scheduled, " + s.lostColumn()
}

func (s *Store) sample(ctx context.Context, form shape, filter RunFilter) (list []tracing.Execution, complete bool, err error) {
	q, err := executionQuery(form, filter.executions())
	if err != nil {
		return nil, false, err
	}
	q.columns, q.limit = form.sampleSelect(), MaxSampled
	list, next, err := executionPage(ctx, s.sampler(), q)
	if err != nil || next != "" || filter.From.IsZero() || filter.StartedIn {
		return list, next == "", err
	}
	// Executions that began before From and were still running.
	l := runList{store: s, form: form, filter: filter}
	f := filter.executions()
	f.Limit = MaxLimit
	before, next, err := l.before(ctx, f)
	if err != nil {
		return nil, false, err
	}
	for part := range slices.Chunk(before, rowsPerStatement) {
		args := make([]any, len(part))
		for i, c := range part {
			args[i] = c.id
		}
		rows, err := s.executions(ctx, len(part), "SELECT "+form.sampleSelect()+" FROM "+executionTable+" e WHERE id IN ("+
			strings.TrimSuffix(strings.Repeat("?, ", len(part)), ", ")+")", args...)
		if err != nil {
			return nil, false, err
		}
		list = append(list, rows...)
	}
	return list, next == "", nil
}

func (s *Store) durations(ctx context.Context, form shape, f ExecutionFilter) (Durations, error) {
	q, err := executionQuery(form, f)
	if err != nil {
		return Durations{}, err
	}
	q.columns, q.limit = form.tookSQL()+" AS took", MaxSampled
	var took sql.NullInt64
	into := []any{&took}
	list, next, err := page(ctx, s.sampler(), q, func(rows *sql.Rows, more ...any) (time.Duration, error) {
		err := rows.Scan(append(into, more...)...)
		if !took.Valid {
			took.Int64 = -1
		}
		return time.Duration(took.Int64) * time.Millisecond, err
	}, func(time.Duration) (at time.Time, id string) { return at, id }) // not needed, because there is no next page
	return DurationsOf(slices.DeleteFunc(list, func(d time.Duration) bool { return d < 0 }), next == ""), err
}

func summaryOf(rows []tracing.Execution, filter RunFilter) Summary {
	states, triggers, jobs, ips := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	causes := map[string]*FacetCount{}
	sum := Summary{}
	for _, r := range GroupRuns(rows) {
		if filter.State != RunAny && r.State != filter.State {
			continue
		}
		sum.Runs++
		states[string(r.State)]++
		jobs[r.JobName]++
		if r.Trigger != "" {
			triggers[string(r.Trigger)]++
		}
		for _, ip := range r.IPs {
			ips[ip]++
		}
		if r.Cause != "" {
			label, literal := CauseOf(r.Cause)
			if causes[label] == nil {
				causes[label] = &FacetCount{Value: literal, Label: label}
			}
			causes[label].Count++
		}
	}
	sum.States, sum.Triggers, sum.Jobs, sum.Instances = facet(states), facet(triggers), facet(jobs), facet(ips)
	for _, c := range causes {
		sum.Causes = append(sum.Causes, *c)
	}
	slices.SortFunc(sum.Causes, mostFirst)
	return sum
}

func mostFirst(a, b FacetCount) int {
	return cmp.Or(b.Count-a.Count, strings.Compare(a.Label, b.Label))
}

func facet(counts map[string]int) []FacetCount {
	var list []FacetCount
	for value, count := range counts {
		list = append(list, FacetCount{Value: value, Label: value, Count: count})
	}
	slices.SortFunc(list, mostFirst)
	return list
}

const causeWidth = 120

// CauseOf returns the common form of similar failures: the first line with numbers and quoted texts
// replaced by "…". Literal is its longest unchanged part, for [RunFilter] FailureText.
func CauseOf(failure string) (cause, literal string) {
	line, _, _ := strings.Cut(strings.TrimSpace(failure), "\n")
	var b strings.Builder
	left := func() {
		// Adjacent numbers, as in an address, become one.
		switch text := b.String(); {
		case strings.HasSuffix(text, "…"):
		case strings.HasSuffix(text, "….") || strings.HasSuffix(text, "…:") || strings.HasSuffix(text, "…-"):
			b.Reset()
			b.WriteString(text[:len(text)-1])
		default:
			b.WriteString("…")
		}
	}
	for count := 0; line != "" && count < causeWidth; count++ {
		char, size := utf8.DecodeRuneInString(line)
		switch {
		case char >= '0' && char <= '9':
			left()
		case char == '"' || char == '\'' || char == '`':
			end := strings.IndexRune(line[size:], char)
			if end < 0 || char == '\'' && end > 60 { // an apostrophe
				b.WriteRune(char)
				break
			}
			b.WriteRune(char)
			left()
			b.WriteRune(char)
			size += end + 1
		default:
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	cause = strings.TrimSpace(b.String())
	for part := range strings.SplitSeq(cause, "…") {
		if part = strings.TrimSpace(part); len(part) > len(literal) {
			literal = part
		}
	}
	return cause, literal
}

// Limits of a histogram. A bucket counts up to maxInBucket index entries, or checks
// maxLookedInBucket rows if no index answers the filter.
const (
	maxBuckets        = 100
	maxInBucket       = 9_999
	maxLookedInBucket = 1_000
	// twoCounts exceeds any count of a bucket, so two counts fit into one number.
	twoCounts = 100_000
)

// Bucket counts the executions that began in a period.
type Bucket struct {
	From, To time.Time
	// Began counts all of them, Failed the failed and lost ones. Cancelled ones only count as Began.
	Began, Failed int
	// Capped is true if there are, or may be, more.
	Capped bool
}

// Histogram counts the executions by which the filter finds runs, by start time in equal buckets.
// Errors wrap [ErrInvalidFilter] or the database's error.
func (s *Store) Histogram(ctx context.Context, filter RunFilter, from, to time.Time, buckets int) ([]Bucket, error) {
	return read(ctx, s, "histogram of runs", func(ctx context.Context, form shape) ([]Bucket, error) {
		if buckets < 1 || buckets > maxBuckets || !to.After(from) {
			return nil, fmt.Errorf("%w: %d buckets from %s to %s, must be 1 to %d of some time", ErrInvalidFilter,
				buckets, from.Format(time.RFC3339), to.Format(time.RFC3339), maxBuckets)
		}
		list := make([]Bucket, buckets)
		width := to.Sub(from) / time.Duration(buckets)
		for i := range list {
			list[i].From, list[i].To = from.Add(time.Duration(i)*width), from.Add(time.Duration(i+1)*width)
		}
		list[buckets-1].To = to
		f := filter.executions()
		f.From, f.To, f.Cursor = time.Time{}, time.Time{}, ""
		err := s.fillBuckets(ctx, form, f, list, func(b *Bucket, n int, capped bool) { b.Began, b.Capped = n, b.Capped || capped })
		switch f.State {
		case RunFailed, RunLost:
			for i := range list {
				list[i].Failed = list[i].Began
			}
		case RunAny:
			for _, f.State = range []RunState{RunFailed, RunLost} {
				if err == nil {
					err = s.fillBuckets(ctx, form, f, list, func(b *Bucket, n int, capped bool) { b.Failed, b.Capped = min(b.Failed+n, b.Began), b.Capped || capped })
				}
			}
		}
		return list, err
	})
}

func (s *Store) fillBuckets(ctx context.Context, form shape, f ExecutionFilter, list []Bucket, set func(*Bucket, int, bool)) error {
	q, err := executionQuery(form, f)
	if err != nil {
		return err
	}
	p, most, hint := q.walk, maxInBucket, ""
	answered, matches, matchesArgs := q.terms, "1", []any(nil)
	// There are few failures, so rows may be checked for the other conditions.
	if rest := q.rest(p); len(rest) > 0 && !q.terms.has("result", "unfinished") {
		most, answered = maxLookedInBucket, q.answered(p)
		matches, matchesArgs = rest.where()
		matches = "CASE WHEN " + matches + " THEN 1 ELSE 0 END"
	}
	if form.dialect == "postgres" {
		hint = " ORDER BY start_time DESC"
	}
	// count returns a query for the number of rows in a period and the number of matching rows.
	count := func(columns, from, to string, args ...any) (string, []any) {
		where, of := append(answered[:len(answered):len(answered)],
			term{sql: "start_time >= " + from, args: args[:len(args)/2]}, term{sql: "start_time < " + to, args: args[len(args)/2:]}).where()
		return "SELECT " + columns + " FROM (SELECT " + matches + " AS m FROM " + q.source(p) + " WHERE " + where + hint + " LIMIT " + strconv.Itoa(most) + ") t",
			slices.Concat(matchesArgs, of)
	}
	var statement string
	var args []any
	if form.dialect == "sqlite" { // see eachOf
		spans := make([][2]any, len(list))
		for i, b := range list {
			spans[i] = [2]any{form.bind(b.From), form.bind(b.To)}
		}
		both := "COUNT(*) * " + strconv.Itoa(twoCounts) + " + COALESCE(SUM(m), 0)"
		statement, args = count(both, "json_extract(w.value, '$[0]')", "json_extract(w.value, '$[1]')")
		statement, args = "SELECT w.key, ("+statement+"), 0 FROM json_each(?) AS w", append(args, jsonOf(spans))
	} else {
		var parts []string
		for i, b := range list {
			part, of := count(strconv.Itoa(i)+" AS bucket, COUNT(*) AS looked, COALESCE(SUM(m), 0) AS n", "?", "?", form.bind(b.From), form.bind(b.To))
			parts, args = append(parts, part), append(args, of...)
		}
		statement = strings.Join(parts, " UNION ALL ")
	}
	return eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
		var i, looked, n int
		if err := rows.Scan(&i, &looked, &n); err != nil {
			return err
		}
		if form.dialect == "sqlite" {
			looked, n = looked/twoCounts, looked%twoCounts
		}
		set(&list[i], n, looked == most)
		return nil
	}, statement, args...)
}
