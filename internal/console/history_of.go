package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// historyKey is where a request keeps the trace database it is about.
const historyKey = "console.history"

// Sources are the connections to trace databases that were entered.
type Sources interface {
	// Allowed reports whether a database may be connected to.
	Allowed(f store.Fields) error
	// Test connects to a database, looks for the trace tables and ends the
	// connection.
	Test(ctx context.Context, d settings.DataSource) error
	// Use opens a database, or takes the connection there is; release gives it
	// back.
	Use(ctx context.Context, d settings.DataSource) (history History, release func(), err error)
	// Forget closes the connection to a data source that was changed or removed.
	Forget(name string)
}

// historyOf returns the trace database a request is about; nil if there is
// none.
func (s *Console) historyOf(c *gin.Context) History {
	if found, ok := c.Get(historyKey); ok {
		return found.(History)
	}
	if placeOf(c).name != "" {
		return nil // that of the command line is about other jobs
	}
	return s.opts.History
}

// recall makes a request be about the trace database it names in its address,
// or else the one that its token has connected. It returns what to do when the
// request was answered.
func (s *Console) recall(c *gin.Context) (leave func(), err error) {
	if surfaceOf(c.Request.URL.Path) == page {
		return func() {}, nil // pages show that of the command line
	}
	name := c.Query("dataSource")
	if name == "" {
		if name, err = s.chosen(c, settings.KindDataSource); err != nil {
			return nil, err
		}
	}
	if name == "" || name == defaultRegistry {
		return func() {}, nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	d, err := s.storedSource(ctx, name)
	if err != nil {
		return nil, err
	}
	history, release, err := s.opts.Sources.Use(ctx, d)
	if err != nil {
		return nil, sourceProblem(name, err)
	}
	c.Set(historyKey, history)
	return release, nil
}

// storedSource looks up a data source that was entered.
func (s *Console) storedSource(ctx context.Context, name string) (settings.DataSource, error) {
	if s.opts.Settings == nil || s.opts.Sources == nil {
		return settings.DataSource{}, noSuchSource(name)
	}
	d, err := s.opts.Settings.DataSource(ctx, name)
	if err != nil {
		return d, settingProblem(err, noSuchSource(name))
	}
	return d, nil
}

func noSuchSource(name string) *problem {
	p := notFound(fmt.Sprintf("There is no data source %q.", view.Clip(name, 100)), "It may have been removed. GET /api/data-source lists those there are.")
	p.code = "no_such_data_source"
	return p
}

// sourceProblem translates an error of opening or testing a data source. The
// reason is told to who has named the place; no password is in it.
func sourceProblem(name string, err error) *problem {
	if errors.Is(err, outbound.ErrForbidden) {
		return addressForbidden(err)
	}
	p := historyDown(err)
	p.message = fmt.Sprintf("The data source %q cannot be used: %s.", view.Clip(name, 100), view.Clip(strings.TrimRight(err.Error(), "."), 400))
	p.hint = "Jobs are not affected."
	return p
}
