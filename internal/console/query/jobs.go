package query

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
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
	State      explain.State     // "" for every state; may be [NeverRan] or [Held]
	Sort       string
	Descending bool
	Page, Size int

	// forPage: the worst come first unless the address says otherwise, and words
	// of the text may be filters; see [ParseJobsPage].
	forPage bool
}

// NeverRan selects the jobs without a run on record, whatever their state.
const NeverRan explain.State = "NEVER_RAN"

// Held selects the jobs of which something stands still until they are released,
// whatever their state.
const Held = explain.Held

// jobStates are what can be selected.
var jobStates = append(slices.Clone(explain.States), NeverRan)

// parseHealth reads the name of a state: "failing", "never-ran".
func parseHealth(text string) (explain.State, bool) {
	name := explain.State(strings.ToUpper(strings.ReplaceAll(text, "-", "_")))
	return name, slices.Contains(jobStates, name)
}

// stateText is the name of a state in an address.
func stateText(s explain.State) string {
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
		problems = append(problems, About(order, i18n.Lang.AddressOrder))
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

// With is a path with a query string in which some parameters are replaced, given as names and values. An empty value
// removes the parameter.
func With(path string, v url.Values, pairs ...string) string {
	v = maps.Clone(v)
	for i := 0; i < len(pairs); i += 2 {
		if v.Del(pairs[i]); pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return WithQuery(path, v)
}

// OnPage is q on another page.
func (q Jobs) OnPage(n int) Jobs { q.Page = n; return q }

// SortedBy is q sorted by a column, in the other direction if it already is.
func (q Jobs) SortedBy(column string) Jobs {
	q.Descending = q.Sort == column && !q.Descending
	q.Sort, q.Page = column, 1
	return q
}

// WithState is q for one state, from the first page.
func (q Jobs) WithState(s explain.State) Jobs { q.State, q.Status, q.Page = s, "", 1; return q }

// WithText is q with another text, from the first page.
func (q Jobs) WithText(text string) Jobs { q.Text, q.Page = text, 1; return q }
