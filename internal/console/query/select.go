package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// PlannedJob is a job with its next fire and its health.
type PlannedJob struct {
	*statistics.Job // that of the list, not to be changed
	Plan            view.Plan
	State           explain.State
	NeverRan        bool
	// Health says the state in words; nil of a job that is no row of the page.
	Health *health.Health
	Digest *explain.Digest
	// Left tells that the job is no longer on the page and stays on it until the
	// reader asks.
	Left bool
}

// Seen is what a list knows of jobs besides the registry.
type Seen struct {
	// Standing is that of the jobs, in their order.
	*Standing
	// Health says in words how a job with a digest is.
	Health func(*statistics.Job, *explain.Digest) health.Health
	// OnServer are the jobs of the server that the text asks for; see
	// [Jobs.Server].
	OnServer map[string]bool
	// Views are selections of which only the number of jobs is asked.
	Views []Jobs
	// Keep are the keys of the rows that the reader looks at, in their order: they
	// stay where they are. See [RowKey].
	Keep []string
}

// JobsPage is what a query selects.
type JobsPage struct {
	// Rows are those of the page.
	Rows []PlannedJob
	// Total is how many jobs match; first the number of the first row, from 1.
	Total, First int
	// Page is the page shown: the last one if the query asks for one beyond.
	Page int
	// Counts are the jobs by status that match the text, whatever their status.
	Counts map[statistics.Status]int
	// All is the number of jobs that match the text.
	All int
	// States are those jobs by state, with those under NeverRan and Held.
	States map[explain.State]int
	// Moved is how many rows would change place if they were not kept.
	Moved int
	// InViews is how many jobs each of the views selects; negative if that is not
	// known, because it asks for those of a server.
	InViews []int
}

// Pages is how many pages of a size there are; at least one.
func (v JobsPage) Pages(size int) int { return max(1, (v.Total+size-1)/size) }

// selection is a query that is being answered. Jobs are named by their place in the list:
// most of ten thousand are only counted.
type selection struct {
	Jobs
	list []statistics.Job
	now  time.Time
	seen Seen
}

// Select filters, sorts and cuts the jobs. It does not change its argument, and its
// answer, which others may have a part of, must not be changed.
func (q Jobs) Select(jobs []statistics.Job, now time.Time, seen Seen) JobsPage {
	s := selection{q, jobs, now, seen}
	v := JobsPage{InViews: s.inViews()}
	hits := s.hits(&v)
	v.Total = len(hits)
	v.Page = min(q.Page, v.Pages(q.Size))
	from := (v.Page - 1) * q.Size
	rows := hits[from:min(from+q.Size, len(hits))]
	if len(seen.Keep) > 0 {
		v.Rows, v.Moved = s.kept(rows)
	} else {
		for _, i := range rows {
			v.Rows = append(v.Rows, s.row(i))
		}
	}
	for n := range v.Rows {
		of := seen.Health(v.Rows[n].Job, v.Rows[n].Digest)
		v.Rows[n].Health = &of
	}
	v.First = from + 1
	return v
}

// hits are the jobs that are selected, in the order asked for. It counts those that
// match the text.
func (s *selection) hits(v *JobsPage) []int32 {
	order, sorted := s.order()
	filter := s.terms()
	all := filter == terms{}
	if all {
		v.All, v.Counts, v.States = len(s.list), s.seen.ByStatus, s.seen.ByState
		if s.Status == "" && s.State == "" {
			return s.sorted(order, sorted)
		}
	} else {
		v.Counts, v.States = make(map[statistics.Status]int), make(map[explain.State]int)
	}
	var hits []int32
	for _, i := range order {
		j := s.judged(i)
		if !all {
			if !filter.match(&j, s.seen, s.now) {
				continue
			}
			v.All++
			v.Counts[j.Status]++
			v.States[j.State]++
			if j.NeverRan {
				v.States[NeverRan]++
			}
			if j.Held.What != "" && j.State != Held {
				v.States[Held]++
			}
		}
		if s.picks(&j) {
			hits = append(hits, i)
		}
	}
	return s.sorted(hits, sorted)
}

// order is how all jobs stand one after the other, and whether that is as asked for.
func (s *selection) order() (order []int32, sorted bool) {
	switch {
	case s.Descending || !s.seen.byName:
		return s.seen.order, false
	case s.Sort == "state":
		return s.seen.Worst(), true
	}
	return s.seen.order, s.Sort == JobSorts[0]
}

// inViews is how many jobs each of the saved views selects.
func (s *selection) inViews() []int {
	counts := make([]int, len(s.seen.Views))
	for n, w := range s.seen.Views {
		filter := w.terms()
		if filter.server != "" {
			counts[n] = -1
			continue
		}
		for i := range s.list {
			if j := s.judged(int32(i)); w.picks(&j) && filter.match(&j, s.seen, s.now) {
				counts[n]++
			}
		}
	}
	return counts
}

// judged is a job of which only the state is known.
func (s *selection) judged(i int32) PlannedJob {
	return PlannedJob{Job: &s.list[i], Digest: s.seen.Digests[i], State: s.seen.States[i], NeverRan: s.seen.NeverRan[i]}
}

// row is a job of the page, but for its health.
func (s *selection) row(i int32) PlannedJob {
	j := s.judged(i)
	j.Plan = *s.seen.Plan(int(i), s.now)
	return j
}

// terms are the filters in the text.
func (q Jobs) terms() terms {
	filter := terms{text: q.Text}
	if q.forPage {
		filter, _ = parseTerms(q.Text)
	}
	filter.text = strings.ToLower(filter.text)
	return filter
}

// picks reports whether a job has the status and the state.
func (q Jobs) picks(j *PlannedJob) bool {
	return (q.Status == "" || j.Status == q.Status) && j.isIn(q.State)
}

// isIn reports whether a job is selected by a state.
func (j *PlannedJob) isIn(s explain.State) bool {
	return s == "" || s == NeverRan && j.NeverRan || s == Held && j.Held.What != "" || j.State == s
}

// RowKey is a short name of a job for the rows of a page.
func RowKey(job string) string { return strconv.FormatUint(rowHash(job), rowBase) }

// rowBase is the base in which keys of rows are written.
const rowBase = 36

// rowHash is 48 bits of FNV-1a.
func rowHash(job string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(job) {
		h = (h ^ uint64(job[i])) * 1099511628211
	}
	return h >> 16
}

// kept are the rows that the reader looks at in the order in which he does, and how
// many of them have another place by now. One that is no longer on the page stays.
func (s *selection) kept(rows []int32) (list []PlannedJob, moved int) {
	place := make(map[int32]int, len(rows))
	for n, i := range rows {
		place[i] = n
	}
	const none = -1
	wanted := make(map[uint64]int32, len(s.seen.Keep))
	for _, key := range s.seen.Keep {
		if hash, err := strconv.ParseUint(key, rowBase, 64); err == nil {
			wanted[hash] = none
		}
	}
	for i := range s.list {
		hash := rowHash(s.list[i].Name)
		if _, ok := wanted[hash]; ok {
			wanted[hash] = int32(i)
		}
	}
	for _, key := range s.seen.Keep {
		hash, err := strconv.ParseUint(key, rowBase, 64)
		i, ok := wanted[hash]
		if err != nil || !ok || i == none {
			continue // The job no longer exists, or was named twice.
		}
		wanted[hash] = none
		at, there := place[i]
		j := s.row(i)
		j.Left = !there
		if !there || at != len(list) {
			moved++
		}
		delete(place, i)
		list = append(list, j)
	}
	return list, moved + len(place)
}

// sorted are jobs in the order asked for, in which they may be already.
func (s *selection) sorted(hits []int32, already bool) []int32 {
	if already {
		return hits
	}
	hits = slices.Clone(hits)
	compare := s.comparison()
	slices.SortFunc(hits, func(a, b int32) int {
		order := compare(a, b)
		if s.Descending {
			order = -order
		}
		return cmp.Or(order, s.compareNames(a, b))
	})
	return hits
}

func (s *selection) compareNames(a, b int32) int {
	if s.seen.byName {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(s.list[a].Name, s.list[b].Name)
}

// comparison orders by the column.
func (s *selection) comparison() func(a, b int32) int {
	number := func(of func(j *statistics.Job) int) func(a, b int32) int {
		return func(a, b int32) int { return cmp.Compare(of(&s.list[a]), of(&s.list[b])) }
	}
	switch s.Sort {
	case "status":
		return number(func(j *statistics.Job) int { return slices.Index(JobStatuses, j.Status) })
	case "next":
		plans := s.seen.Plans(s.now)
		return func(a, b int32) int { return plans[a].Compare(*plans[b]) }
	case "state":
		return func(a, b int32) int { return cmp.Compare(s.seen.States[a].Rank(), s.seen.States[b].Rank()) }
	case "last":
		return func(a, b int32) int { return s.seen.Digests[b].LastStart.Compare(s.seen.Digests[a].LastStart) }
	case "shards":
		return number(func(j *statistics.Job) int { return j.Shards })
	case "instances":
		return number(func(j *statistics.Job) int { return j.Instances })
	}
	return s.compareNames
}
