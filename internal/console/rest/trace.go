package rest

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// answerPart answers with a page that the address asks for.
func answerPart[R, T any](c *gin.Context, p console.Rows[R], problems query.Problems, limit int, cursor string, bodyOf func(R) T) error {
	if len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	skip, problem := skipped(c, limit)
	if problem != nil {
		return problem
	}
	body, err := console.PageOf(p, skip, limit, cursor, bodyOf)
	return console.Answer(c, body, err)
}

// executions answers with executions, newest first.
func (s *API) executions(c *gin.Context) error {
	f, problems := query.ParseExecutions(c.Request.URL.Query())
	return answerPart(c, console.ExecutionsOf(s.Console, c, f), problems, f.Limit, f.Cursor, console.ExecutionBody)
}

// statuses answers with the steps of tasks, newest first.
func (s *API) statuses(c *gin.Context) error {
	f, problems := query.ParseStatuses(c.Request.URL.Query())
	return answerPart(c, console.StatusesOf(s.Console, c, f), problems, f.Limit, f.Cursor, console.StatusBody)
}

// skipped is how many rows the page's number, which clients of 2.x give in the
// query, passes over.
func skipped(c *gin.Context, size int) (int, *console.Problem) {
	text := c.Query("page")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > query.Deepest/size {
		return 0, console.Invalid(fmt.Sprintf("page %q is not a number from 1 to %d.", view.Clip(text, 40), query.Deepest/size), "Go on with nextCursor instead.")
	}
	return (n - 1) * size, nil
}

// suggest answers with the first values of a column that begin with what the
// address ends with.
func (s *API) suggest(of rdb.Suggestion) func(*gin.Context) error {
	return func(c *gin.Context) error {
		prefix, err := url.PathUnescape(c.Param("prefix"))
		if err != nil {
			return console.Malformed("The prefix in the address is not escaped correctly.", "Write % as %25.")
		}
		values, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) ([]string, error) { return h.Suggest(ctx, of, prefix) })
		return console.Answer(c, values, err)
	}
}
