package rest

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestRoutesTouchWhatTheySay: while ZooKeeper or the trace database is away, no
// route is unavailable for it that does not say that it touches it, and every
// route for programs that says so is.
func TestRoutesTouchWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, gone := range []struct {
		what app.Touches
		code string
		take func(*consoletest.Bench)
	}{
		{app.TheRegistry, app.CodeRegistryDown, func(b *consoletest.Bench) {
			b.Registry.Set(func(f *consoletest.FakeRegistry) {
				f.ReadErr = errors.New("asked to fail")
				f.ActionErr = &lifecycle.Error{Op: "x", Kind: lifecycle.ErrUnavailable}
			})
		}},
		{app.TheHistory, "database_unavailable", func(b *consoletest.Bench) {
			b.History.Mu.Lock()
			defer b.History.Mu.Unlock()
			b.History.Err = errors.New("asked to fail")
		}},
	} {
		b := consoletest.New(t)
		gone.take(b)
		for _, r := range b.Console.Routes() {
			if strings.Contains(r.Path, "*") {
				continue
			}
			b.Settings.Reset()
			path, says := consoletest.Filled(r.Path), r.Touches.Any(gone.what) && !r.IsPartly()
			var got consoletest.Reply
			if app.SurfaceOf(r.Path) == app.API {
				got = b.Call(t, r.Method, path, operationOf(r).Example, "Authorization: Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
				if unavailable := got.StatusCode == http.StatusServiceUnavailable && strings.Contains(got.Body, gone.code); unavailable != says {
					t.Errorf("%s %s: without %s: says that it touches it: %t, unavailable: %t (%d %s)", r.Method, r.Path, gone.code, says, unavailable, got.StatusCode, view.Clip(got.Body, 200))
				}
				continue
			}
			got = b.As(t, auth.RoleRoot, r.Method, path, nil)
			if got.StatusCode == http.StatusServiceUnavailable && !says {
				t.Errorf("%s %s is unavailable without %s and does not say that it touches it", r.Method, r.Path, gone.code)
			}
		}
	}
}
