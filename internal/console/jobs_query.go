package console

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// The sizes a page of jobs can have.
var pageSizes = []int{20, 50, 100, 200}

const defaultPageSize = 50

// The columns jobs can be sorted by; the first is the default.
var jobSorts = []string{"name", "status", "next", "shards", "instances"}

// jobStatuses are the statuses from the worst to the best, after the one that
// is not known yet.
var jobStatuses = []statistics.Status{
	statistics.StatusReading,
	statistics.StatusBroken, statistics.StatusCrashed, statistics.StatusShardingFlag,
	statistics.StatusDisabled, statistics.StatusOK,
}

// jobsQuery is what the address of the job list says. The zero value is not
// valid; see [parseJobsQuery].
type jobsQuery struct {
	text       string
	status     statistics.Status // "" for every status
	sort       string
	descending bool
	page, size int
}

// parseJobsQuery reads the query string. What it does not understand is left at
// its default and told in problems: a page says so, the API refuses.
func parseJobsQuery(v url.Values) (q jobsQuery, problems []string) {
	q = jobsQuery{sort: jobSorts[0], page: 1, size: defaultPageSize}
	q.text = strings.TrimSpace(v.Get("q"))

	if status := v.Get("status"); status != "" {
		if i := slices.IndexFunc(jobStatuses, func(s statistics.Status) bool { return strings.EqualFold(string(s), status) }); i >= 0 {
			q.status = jobStatuses[i]
		} else {
			problems = append(problems, fmt.Sprintf("status %q is unknown (use one of %s)", clip(status, 40), joinStrings(jobStatuses)))
		}
	}
	if sort := v.Get("sort"); sort != "" {
		if slices.Contains(jobSorts, sort) {
			q.sort = sort
		} else {
			problems = append(problems, fmt.Sprintf("sort %q is unknown (use one of %s)", clip(sort, 40), strings.Join(jobSorts, ", ")))
		}
	}
	switch order := v.Get("order"); strings.ToLower(order) {
	case "", "asc":
	case "desc":
		q.descending = true
	default:
		problems = append(problems, fmt.Sprintf("order %q is unknown (use asc or desc)", clip(order, 40)))
	}
	number := func(name string, into *int, most int) {
		text := v.Get(name)
		if text == "" {
			return
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			problems = append(problems, fmt.Sprintf("%s %q is not a number from 1 to %d", name, clip(text, 40), most))
			return
		}
		*into = n
	}
	number("page", &q.page, 1_000_000)
	number("pageSize", &q.size, pageSizes[len(pageSizes)-1])
	return q, problems
}

// values is the query string of q, without what is at its default: one view has
// one address.
func (q jobsQuery) values() url.Values {
	v := url.Values{}
	if q.text != "" {
		v.Set("q", q.text)
	}
	if q.status != "" {
		v.Set("status", string(q.status))
	}
	if q.sort != jobSorts[0] {
		v.Set("sort", q.sort)
	}
	if q.descending {
		v.Set("order", "desc")
	}
	if q.page > 1 {
		v.Set("page", strconv.Itoa(q.page))
	}
	if q.size != defaultPageSize {
		v.Set("pageSize", strconv.Itoa(q.size))
	}
	return v
}

func (q jobsQuery) href() string { return withQuery("/jobs", q.values()) }

func withQuery(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// onPage is q on another page.
func (q jobsQuery) onPage(n int) jobsQuery { q.page = n; return q }

// sortedBy is q sorted by a column, in the other direction if it already is.
func (q jobsQuery) sortedBy(column string) jobsQuery {
	q.descending = q.sort == column && !q.descending
	q.sort, q.page = column, 1
	return q
}

// withStatus is q for one status, from the first page.
func (q jobsQuery) withStatus(s statistics.Status) jobsQuery { q.status, q.page = s, 1; return q }

// plannedJob is a job with its next fire.
type plannedJob struct {
	statistics.Job
	plan plan
}

// jobsView is what a query selects.
type jobsView struct {
	// rows are those of the page.
	rows []plannedJob
	// total is how many jobs match; first the number of the first row, from 1.
	total, first int
	// page is the page shown: the last one if the query asks for one beyond.
	page int
	// counts are the jobs by status that match the text, whatever their status.
	counts map[statistics.Status]int
	// all is the number of jobs that match the text.
	all int
}

func (v jobsView) pages(size int) int { return max(1, (v.total+size-1)/size) }

// sel filters, sorts and cuts the jobs. It does not change its argument.
func (q jobsQuery) sel(jobs []statistics.Job, now time.Time) jobsView {
	v := jobsView{counts: make(map[statistics.Status]int)}
	needle := strings.ToLower(q.text)
	hits := make([]*statistics.Job, 0, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		if needle != "" && !strings.Contains(strings.ToLower(j.Name), needle) && !strings.Contains(strings.ToLower(j.Description), needle) {
			continue
		}
		v.all++
		v.counts[j.Status]++
		if q.status == "" || j.Status == q.status {
			hits = append(hits, j)
		}
	}
	plans := make(map[*statistics.Job]plan)
	planned := func(j *statistics.Job) plan {
		p, ok := plans[j]
		if !ok {
			p = planOf(*j, now, 1)
			plans[j] = p
		}
		return p
	}
	byName := func(a, b *statistics.Job) int { return cmp.Compare(a.Name, b.Name) }
	compare := q.comparison(planned)
	order := func(a, b *statistics.Job) int {
		order := compare(a, b)
		if q.descending {
			order = -order
		}
		return cmp.Or(order, byName(a, b))
	}
	if q.sort != jobSorts[0] || q.descending || !slices.IsSortedFunc(hits, byName) { // The list comes by name.
		slices.SortFunc(hits, order)
	}
	v.total = len(hits)
	v.page = min(q.page, v.pages(q.size))
	from := (v.page - 1) * q.size
	for _, j := range hits[from:min(from+q.size, len(hits))] {
		v.rows = append(v.rows, plannedJob{*j, planned(j)})
	}
	v.first = from + 1
	return v
}

// comparison orders by the column; what a job's next fire is, planned knows.
func (q jobsQuery) comparison(planned func(*statistics.Job) plan) func(a, b *statistics.Job) int {
	switch q.sort {
	case "status":
		return func(a, b *statistics.Job) int {
			return cmp.Compare(slices.Index(jobStatuses, a.Status), slices.Index(jobStatuses, b.Status))
		}
	case "next":
		return func(a, b *statistics.Job) int { return planned(a).compare(planned(b)) }
	case "shards":
		return func(a, b *statistics.Job) int { return cmp.Compare(a.Shards, b.Shards) }
	case "instances":
		return func(a, b *statistics.Job) int { return cmp.Compare(a.Instances, b.Instances) }
	}
	return func(a, b *statistics.Job) int { return cmp.Compare(a.Name, b.Name) }
}

func joinStrings[S ~string](list []S) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = string(s)
	}
	return strings.Join(parts, ", ")
}
