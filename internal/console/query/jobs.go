package query

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// PageSizes are the sizes a page of jobs can have.
var PageSizes = []int{20, 50, 100, 200}

// DefaultPageSize is the size of a page whose address names none.
const DefaultPageSize = 50

// JobSorts are the columns that jobs can be sorted by; the first is the default.
var JobSorts = []string{"name", "status", "next", "shards", "instances"}

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
	Sort       string
	Descending bool
	Page, Size int
}

// ParseJobs reads the query string. What it does not understand is left at
// its default and named in problems: a page says so, the API refuses.
func ParseJobs(v url.Values) (q Jobs, problems []string) {
	q = Jobs{Sort: JobSorts[0], Page: 1, Size: DefaultPageSize}
	q.Text = strings.TrimSpace(v.Get("q"))

	if status := v.Get("status"); status != "" {
		if i := slices.IndexFunc(JobStatuses, func(s statistics.Status) bool { return strings.EqualFold(string(s), status) }); i >= 0 {
			q.Status = JobStatuses[i]
		} else {
			problems = append(problems, fmt.Sprintf("status %q is unknown (use one of %s)", view.Clip(status, 40), view.Join(JobStatuses)))
		}
	}
	if sort := v.Get("sort"); sort != "" {
		if slices.Contains(JobSorts, sort) {
			q.Sort = sort
		} else {
			problems = append(problems, fmt.Sprintf("sort %q is unknown (use one of %s)", view.Clip(sort, 40), strings.Join(JobSorts, ", ")))
		}
	}
	switch order := v.Get("order"); strings.ToLower(order) {
	case "", "asc":
	case "desc":
		q.Descending = true
	default:
		problems = append(problems, fmt.Sprintf("order %q is unknown (use asc or desc)", view.Clip(order, 40)))
	}
	number := func(name string, into *int, most int) {
		text := v.Get(name)
		if text == "" {
			return
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			problems = append(problems, fmt.Sprintf("%s %q is not a number from 1 to %d", name, view.Clip(text, 40), most))
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
	if q.Sort != JobSorts[0] {
		v.Set("sort", q.Sort)
	}
	if q.Descending {
		v.Set("order", "desc")
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if q.Size != DefaultPageSize {
		v.Set("pageSize", strconv.Itoa(q.Size))
	}
	return v
}

// Href is the address of the page of jobs that q is about.
func (q Jobs) Href() string { return WithQuery("/jobs", q.values()) }

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

// PlannedJob is a job with its next fire.
type PlannedJob struct {
	statistics.Job
	Plan view.Plan
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
}

// Pages is how many pages of a size there are; at least one.
func (v JobsPage) Pages(size int) int { return max(1, (v.Total+size-1)/size) }

// Select filters, sorts and cuts the jobs. It does not change its argument.
func (q Jobs) Select(jobs []statistics.Job, now time.Time) JobsPage {
	v := JobsPage{Counts: make(map[statistics.Status]int)}
	needle := strings.ToLower(q.Text)
	hits := make([]*statistics.Job, 0, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		if needle != "" && !strings.Contains(strings.ToLower(j.Name), needle) && !strings.Contains(strings.ToLower(j.Description), needle) {
			continue
		}
		v.All++
		v.Counts[j.Status]++
		if q.Status == "" || j.Status == q.Status {
			hits = append(hits, j)
		}
	}
	plans := make(map[*statistics.Job]view.Plan)
	planned := func(j *statistics.Job) view.Plan {
		p, ok := plans[j]
		if !ok {
			p = view.PlanOf(*j, now, 1)
			plans[j] = p
		}
		return p
	}
	byName := func(a, b *statistics.Job) int { return cmp.Compare(a.Name, b.Name) }
	compare := q.comparison(planned)
	order := func(a, b *statistics.Job) int {
		order := compare(a, b)
		if q.Descending {
			order = -order
		}
		return cmp.Or(order, byName(a, b))
	}
	if q.Sort != JobSorts[0] || q.Descending || !slices.IsSortedFunc(hits, byName) { // The list comes by name.
		slices.SortFunc(hits, order)
	}
	v.Total = len(hits)
	v.Page = min(q.Page, v.Pages(q.Size))
	from := (v.Page - 1) * q.Size
	for _, j := range hits[from:min(from+q.Size, len(hits))] {
		v.Rows = append(v.Rows, PlannedJob{*j, planned(j)})
	}
	v.First = from + 1
	return v
}

// comparison orders by the column; what a job's next fire is, planned knows.
func (q Jobs) comparison(planned func(*statistics.Job) view.Plan) func(a, b *statistics.Job) int {
	switch q.Sort {
	case "status":
		return func(a, b *statistics.Job) int {
			return cmp.Compare(slices.Index(JobStatuses, a.Status), slices.Index(JobStatuses, b.Status))
		}
	case "next":
		return func(a, b *statistics.Job) int { return planned(a).Compare(planned(b)) }
	case "shards":
		return func(a, b *statistics.Job) int { return cmp.Compare(a.Shards, b.Shards) }
	case "instances":
		return func(a, b *statistics.Job) int { return cmp.Compare(a.Instances, b.Instances) }
	}
	return func(a, b *statistics.Job) int { return cmp.Compare(a.Name, b.Name) }
}
