package query

import (
	"cmp"
	"hash/fnv"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// PageSizes are the sizes a page of a list can have.
var PageSizes = []int{ScreenRows, DefaultPageSize, 100, 200}

const (
	// DefaultPageSize is the size of a list whose address names none.
	DefaultPageSize = 50
	// ScreenRows is that of a page for people whose rows are heavy: what a screen has
	// room for.
	ScreenRows = 25
)

// JobSorts are the columns that jobs can be sorted by; the first is the default.
var JobSorts = []string{"name", "status", "next", "shards", "instances", "state", "last"}

// JobStatuses are the statuses from the worst to the best, after the one that
// is not known yet.
var JobStatuses = []statistics.Status{
	statistics.StatusReading,
	statistics.StatusBroken, statistics.StatusCrashed, statistics.StatusShardingFlag,
	statistics.StatusDisabled, statistics.StatusOK,
}

// Jobs is what the address of the job list says. The zero value is not
// valid; see [ParseJobs].
type Jobs struct {
	Text       string
	Status     statistics.Status // "" for every status
	State      health.State      // "" for every state; may be [NeverRan]
	Sort       string
	Descending bool
	Page, Size int

	// forPage: the worst come first unless the address says otherwise, and words
	// of the text may be filters; see [ParseJobsPage].
	forPage bool
}

// NeverRan selects the jobs without a run on record, whatever their state.
const NeverRan health.State = "NEVER_RAN"

// jobStates are what can be selected.
var jobStates = append(slices.Clone(health.States), NeverRan)

// parseHealth reads the name of a state: "failing", "never-ran".
func parseHealth(text string) (health.State, bool) {
	name := health.State(strings.ToUpper(strings.ReplaceAll(text, "-", "_")))
	return name, slices.Contains(jobStates, name)
}

// stateText is the name of a state in an address.
func stateText(s health.State) string {
	return strings.ToLower(strings.ReplaceAll(string(s), "_", "-"))
}

func stateTexts() string {
	var list []string
	for _, s := range jobStates {
		list = append(list, stateText(s))
	}
	return strings.Join(list, ", ")
}

// JobsNames are the parameters of the list of jobs.
var JobsNames = []string{"q", "status", "state", "sort", "order", "page", "pageSize"}

// ParseJobsPage reads the query string of the page of jobs: as [ParseJobs] does, but
// the worst come first, and the text may have filters; see terms.
func ParseJobsPage(v url.Values) (q Jobs, problems Problems) {
	q, problems = parseJobs(v, ScreenRows)
	q.forPage = true
	if sort := v.Get("sort"); !slices.Contains(JobSorts, sort) {
		q.Sort = q.firstSort()
	}
	_, more := parseTerms(q.Text)
	return q, append(problems, more...)
}

// firstSort is the order of a list whose address names none.
func (q Jobs) firstSort() string {
	if q.forPage {
		return "state"
	}
	return JobSorts[0]
}

// usualSize is the size of a page whose address names none.
func (q Jobs) usualSize() int {
	if q.forPage {
		return ScreenRows
	}
	return DefaultPageSize
}

// ParseJobs reads the query string. What it does not understand is left at
// its default and named in problems: a page says so, the API refuses.
func ParseJobs(v url.Values) (q Jobs, problems Problems) { return parseJobs(v, DefaultPageSize) }

func parseJobs(v url.Values, size int) (q Jobs, problems Problems) {
	q = Jobs{Sort: JobSorts[0], Page: 1, Size: size}
	q.Text = strings.TrimSpace(v.Get("q"))

	if status := v.Get("status"); status != "" {
		if i := slices.IndexFunc(JobStatuses, func(s statistics.Status) bool { return strings.EqualFold(string(s), status) }); i >= 0 {
			q.Status = JobStatuses[i]
		} else {
			problems = append(problems, unknown("status", status, view.Join(JobStatuses)))
		}
	}
	if state := v.Get("state"); state != "" {
		if known, ok := parseHealth(state); ok {
			q.State = known
		} else {
			problems = append(problems, unknown("state", state, stateTexts()))
		}
	}
	if sort := v.Get("sort"); sort != "" {
		if slices.Contains(JobSorts, sort) {
			q.Sort = sort
		} else {
			problems = append(problems, unknown("sort", sort, strings.Join(JobSorts, ", ")))
		}
	}
	switch order := v.Get("order"); strings.ToLower(order) {
	case "", "asc":
	case "desc":
		q.Descending = true
	default:
		problems = append(problems, about(order, i18n.Lang.AddressOrder))
	}
	number := func(name string, into *int, most int) {
		text := v.Get(name)
		if text == "" {
			return
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			problems = append(problems, noNumber(name, text, most))
			return
		}
		*into = n
	}
	number("page", &q.Page, 1_000_000)
	number("pageSize", &q.Size, PageSizes[len(PageSizes)-1])
	return q, problems
}

// values is the query string of q, without what is at its default: one view has
// one address.
func (q Jobs) values() url.Values {
	v := url.Values{}
	if q.Text != "" {
		v.Set("q", q.Text)
	}
	if q.Status != "" {
		v.Set("status", string(q.Status))
	}
	if q.State != "" {
		v.Set("state", stateText(q.State))
	}
	if q.Sort != q.firstSort() {
		v.Set("sort", q.Sort)
	}
	if q.Descending {
		v.Set("order", "desc")
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if q.Size != q.usualSize() {
		v.Set("pageSize", strconv.Itoa(q.Size))
	}
	return v
}

// Href is the address of the page of jobs that q is about.
func (q Jobs) Href() string { return WithQuery("/jobs", q.values()) }

// Selecting is the address of the page with every job that q selects chosen for an
// action.
func (q Jobs) Selecting() string {
	v := q.values()
	v.Set("select", "all")
	return WithQuery("/jobs", v)
}

// Filter are the fields of a form that say which jobs q selects, whatever the page.
func (q Jobs) Filter() [][2]string {
	q.Page, q.Size = 1, q.usualSize()
	var list [][2]string
	for _, name := range slices.Sorted(maps.Keys(q.values())) {
		list = append(list, [2]string{name, q.values().Get(name)})
	}
	return list
}

// WithQuery is a path with a query string, if it has any.
func WithQuery(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// OnPage is q on another page.
func (q Jobs) OnPage(n int) Jobs { q.Page = n; return q }

// SortedBy is q sorted by a column, in the other direction if it already is.
func (q Jobs) SortedBy(column string) Jobs {
	q.Descending = q.Sort == column && !q.Descending
	q.Sort, q.Page = column, 1
	return q
}

// WithStatus is q for one status, from the first page.
func (q Jobs) WithStatus(s statistics.Status) Jobs { q.Status, q.Page = s, 1; return q }

// WithState is q for one state, from the first page.
func (q Jobs) WithState(s health.State) Jobs { q.State, q.Status, q.Page = s, "", 1; return q }

// WithText is q with another text, from the first page.
func (q Jobs) WithText(text string) Jobs { q.Text, q.Page = text, 1; return q }

// PlannedJob is a job with its next fire and its health.
type PlannedJob struct {
	*statistics.Job // that of the list, not to be changed
	Plan            view.Plan
	State           health.State
	NeverRan        bool
	// Health says the state in words; nil of a job that is no row of the page.
	Health *health.Health
	Digest *health.Digest
	// Left tells that the job is no longer on the page and stays on it until the
	// reader asks.
	Left bool
}

// Seen is what a list knows of jobs besides the registry.
type Seen struct {
	Health func(statistics.Job) health.Health
	// State is that of Health, and whether the job never ran, by its digest.
	State  func(*statistics.Job, *health.Digest) (state health.State, neverRan bool)
	Digest func(name string) *health.Digest
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
	// States are those jobs by state, with those under NeverRan.
	States map[health.State]int
	// Moved is how many rows would change place if they were not kept.
	Moved int
	// InViews is how many jobs each of the views selects; negative if that is not
	// known, because it asks for those of a server.
	InViews []int
}

// Pages is how many pages of a size there are; at least one.
func (v JobsPage) Pages(size int) int { return max(1, (v.Total+size-1)/size) }

// Select filters, sorts and cuts the jobs. It does not change its argument.
func (q Jobs) Select(jobs []statistics.Job, now time.Time, seen Seen) JobsPage {
	v := JobsPage{Counts: make(map[statistics.Status]int), States: make(map[health.State]int)}
	filter, views := q.terms(), make([]terms, len(seen.Views))
	v.InViews = make([]int, len(views))
	for i, w := range seen.Views {
		if views[i] = w.terms(); views[i].server != "" {
			v.InViews[i] = -1
		}
	}
	all := make([]PlannedJob, len(jobs))
	hits := make([]*PlannedJob, 0, len(jobs))
	for i := range jobs {
		j := &all[i]
		*j = PlannedJob{Job: &jobs[i], Digest: seen.Digest(jobs[i].Name)}
		j.State, j.NeverRan = seen.State(j.Job, j.Digest)
		for n := range views {
			if v.InViews[n] >= 0 && seen.Views[n].picks(j) && views[n].match(j, seen, now) {
				v.InViews[n]++
			}
		}
		if !filter.match(j, seen, now) {
			continue
		}
		v.All++
		v.Counts[j.Status]++
		v.States[j.State]++
		if j.NeverRan {
			v.States[NeverRan]++
		}
		if q.picks(j) {
			hits = append(hits, j)
		}
	}
	planned := func(j *PlannedJob) view.Plan {
		if j.Plan.Fires == nil && j.Plan.Why == "" {
			j.Plan = view.PlanOf(*j.Job, now, 1)
		}
		return j.Plan
	}
	q.sort(hits, planned)
	v.Total = len(hits)
	v.Page = min(q.Page, v.Pages(q.Size))
	from := (v.Page - 1) * q.Size
	rows := hits[from:min(from+q.Size, len(hits))]
	if len(seen.Keep) > 0 {
		rows, v.Moved = kept(rows, all, seen.Keep)
	}
	for _, j := range rows {
		planned(j)
		of := seen.Health(*j.Job)
		j.Health = &of
		v.Rows = append(v.Rows, *j)
	}
	v.First = from + 1
	return v
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
func (j *PlannedJob) isIn(s health.State) bool {
	return s == "" || s == NeverRan && j.NeverRan || j.State == s
}

// RowKey is a short name of a job for the rows of a page.
func RowKey(job string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(job))
	return strconv.FormatUint(h.Sum64()>>16, 36)
}

// kept are the rows that the reader looks at in the order in which he does, and how
// many of them have another place by now. One that is no longer on the page stays.
func kept(rows []*PlannedJob, all []PlannedJob, keys []string) (list []*PlannedJob, moved int) {
	place := make(map[string]int, len(rows))
	for i, j := range rows {
		place[j.Name] = i
	}
	wanted := make(map[string]*PlannedJob, len(keys))
	for _, key := range keys {
		wanted[key] = nil
	}
	for i := range all {
		key := RowKey(all[i].Name)
		if _, ok := wanted[key]; ok {
			wanted[key] = &all[i]
		}
	}
	for _, key := range keys {
		j := wanted[key]
		if j == nil {
			continue // The job no longer exists, or was named twice.
		}
		wanted[key] = nil
		at, there := place[j.Name]
		j.Left = !there
		if !there || at != len(list) {
			moved++
		}
		delete(place, j.Name)
		list = append(list, j)
	}
	return list, moved + len(place)
}

// sort brings jobs that come by name into the order asked for.
func (q Jobs) sort(hits []*PlannedJob, planned func(*PlannedJob) view.Plan) {
	byName := func(a, b *PlannedJob) int { return cmp.Compare(a.Name, b.Name) }
	if q.Sort == JobSorts[0] && !q.Descending && slices.IsSortedFunc(hits, byName) {
		return
	}
	compare := q.comparison(planned)
	slices.SortFunc(hits, func(a, b *PlannedJob) int {
		order := compare(a, b)
		if q.Descending {
			order = -order
		}
		return cmp.Or(order, byName(a, b))
	})
}

// comparison orders by the column; what a job's next fire is, planned knows.
func (q Jobs) comparison(planned func(*PlannedJob) view.Plan) func(a, b *PlannedJob) int {
	switch q.Sort {
	case "status":
		return func(a, b *PlannedJob) int {
			return cmp.Compare(slices.Index(JobStatuses, a.Status), slices.Index(JobStatuses, b.Status))
		}
	case "next":
		return func(a, b *PlannedJob) int { return planned(a).Compare(planned(b)) }
	case "state":
		return func(a, b *PlannedJob) int { return cmp.Compare(a.State.Rank(), b.State.Rank()) }
	case "last":
		return func(a, b *PlannedJob) int { return b.Digest.LastStart.Compare(a.Digest.LastStart) }
	case "shards":
		return func(a, b *PlannedJob) int { return cmp.Compare(a.Shards, b.Shards) }
	case "instances":
		return func(a, b *PlannedJob) int { return cmp.Compare(a.Instances, b.Instances) }
	}
	return func(a, b *PlannedJob) int { return cmp.Compare(a.Name, b.Name) }
}
