package app

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// historyKey is where a request keeps the trace database it is about.
const historyKey = "console.history"

// HistoryOf returns the trace database a request is about; nil if there is
// none.
func (s *Console) HistoryOf(c *gin.Context) History {
	if found, ok := c.Get(historyKey); ok {
		return found.(History)
	}
	if PlaceOf(c).name != "" {
		return nil // that of the command line is about other jobs
	}
	return s.opts.History
}

// recall makes a request be about the trace database it names in its address,
// or else the one that its token has connected. It returns what to do when the
// request was answered.
func (s *Console) recall(c *gin.Context) (leave func(), err error) {
	if _, found := c.Get(historyKey); found || SurfaceOf(c.Request.URL.Path) == Page {
		return func() {}, nil // pages show that of the command line
	}
	name := c.Query("dataSource")
	if name == "" {
		if name, err = s.Chosen(c, settings.KindDataSource); err != nil {
			return nil, err
		}
	}
	if name == "" || name == DefaultRegistry {
		return func() {}, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	d, err := s.StoredSource(ctx, name)
	if err != nil {
		return nil, err
	}
	history, release, err := s.opts.Sources.Use(ctx, d)
	if err != nil {
		return nil, SourceProblem(name, err)
	}
	c.Set(historyKey, history)
	return release, nil
}

// StoredSource looks up a data source that was entered.
func (s *Console) StoredSource(ctx context.Context, name string) (settings.DataSource, error) {
	return StoredEntry(ctx, s, Settings.DataSources, name, NoSuchSource)
}

// NoSuchSource is the answer about a data source that was not entered.
func NoSuchSource(name string) *Problem {
	p := NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoSource(strconv.Quote(view.Clip(name, 100))), l.ProblemRemovedList("/api/data-source")
	})
	p.Code = "no_such_data_source"
	return p
}

// SourceProblem translates an error of opening or testing a data source. The
// reason is shown to the caller, who named the place; no password is in it.
func SourceProblem(name string, err error) *Problem {
	if errors.Is(err, outbound.ErrForbidden) {
		return AddressForbidden(err)
	}
	return historyDown(err).Said(func(l i18n.Lang) (string, string) {
		return l.ProblemSourceUnusable(strconv.Quote(view.Clip(name, 100)), view.Clip(strings.TrimRight(err.Error(), "."), 400)), l.ProblemSourceUnusableHint()
	})
}
