package console

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// maxShardRows is how many shards one answer or page lists.
const maxShardRows = 1000

// apiSharding answers with the shards of one job, at most [maxShardRows] of them:
// the page that the query names, else the first. X-Total-Count has the number of
// all shards.
func (s *Console) apiSharding(c *gin.Context) {
	page, size, problems := parseShardsPage(c.Request.URL.Query())
	if len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the query string."))
		return
	}
	job, err := s.readJob(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	from := min((page-1)*size, len(job.Shards))
	c.Header("X-Total-Count", strconv.Itoa(len(job.Shards)))
	writeJSON(c, http.StatusOK, shardsJSON(job.Shards[from:min(from+size, len(job.Shards))]))
}

// parseShardsPage reads which shards a query string asks for. The parameters are
// those of the list of jobs: the tables of ElasticJob's 2.x console send limit and
// offset and leaf through the whole list themselves.
func parseShardsPage(v url.Values) (page, size int, problems []string) {
	page, size = 1, maxShardRows
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
	number("page", &page, jobtree.MaxShards)
	number("pageSize", &size, maxShardRows)
	return page, size, problems
}

// shardsOnPage are the shards that the job's page shows, and its pager, which is
// nil if these are all. A page beyond the last, or that is no number, is the last
// or the first.
func shardsOnPage(shards []statistics.Shard, v url.Values, href string) ([]statistics.Shard, *ui.Pager) {
	if len(shards) <= maxShardRows {
		return shards, nil
	}
	page, _, _ := parseShardsPage(url.Values{"page": v["page"]})
	last := (len(shards) + maxShardRows - 1) / maxShardRows
	page = min(page, last)
	from := (page - 1) * maxShardRows
	part := shards[from:min(from+maxShardRows, len(shards))]
	at := func(n int) string {
		if n == 1 {
			return href
		}
		return withQuery(href, url.Values{"page": {strconv.Itoa(n)}})
	}
	p := &ui.Pager{
		PrevLabel: "Previous", NextLabel: "Next",
		Summary: fmt.Sprintf("%s–%s of %s", thousands(from+1), thousands(from+len(part)), plural(len(shards), "shard")),
	}
	if page > 1 {
		p.Prev = at(page - 1)
	}
	if page < last {
		p.Next = at(page + 1)
	}
	return part, p
}
