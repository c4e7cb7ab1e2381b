package app

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// While the registry cannot be reached, pages that read show what stood in it when
// the connection was lost: times are absolute, nothing can be done, and every page
// says how old it is. Pages that ask before an action, actions, and the REST
// interface are refused: they would be about what may no longer be so.

const snapshotKey = "console.snapshot"

// SnapshotOf reports whether a request is answered from memory, and since when
// the registry cannot be reached.
func SnapshotOf(c *gin.Context) (since time.Time, stale bool) {
	found, stale := c.Get(snapshotKey)
	since, _ = found.(time.Time)
	return since, stale
}

// remember has a request be answered from memory if the registry is away.
func (s *Console) remember(c *gin.Context, demand Access) {
	at := s.connectedRegistry(c)
	if demand >= Operates || at.Memory == nil || !isRead(c) || SurfaceOf(c.Request.URL.Path) != Page {
		return
	}
	if h := at.Health(); h.State != RegistryConnected {
		c.Set(snapshotKey, h.Since)
	}
}

// asOf is the time of what a page says about jobs.
func (s *Console) asOf(c *gin.Context) time.Time {
	if since, stale := SnapshotOf(c); stale {
		return since
	}
	return s.Now()
}

// drawn is the context in which a page is drawn.
func (s *Console) drawn(c *gin.Context) context.Context {
	ctx := ui.WithLinks(context.WithoutCancel(c.Request.Context()), func(path string) string { return s.link(c, path) })
	if _, stale := SnapshotOf(c); stale {
		ctx = ui.WithSnapshot(ctx, i18n.From(ctx).OutageRefused())
	}
	return ctx
}
