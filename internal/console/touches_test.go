package console

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestRoutesTouchWhatTheySay: while ZooKeeper or the trace database is away, no
// route is unavailable for it that does not say that it touches it, and every
// route for programs that says so is.
func TestRoutesTouchWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, gone := range []struct {
		what touches
		code string
		take func(*bench)
	}{
		{theRegistry, codeRegistryDown, func(b *bench) {
			b.registry.set(func(f *fakeRegistry) {
				f.readErr = errors.New("told to")
				f.orderErr = &lifecycle.Error{Op: "x", Kind: lifecycle.ErrUnavailable}
			})
		}},
		{theHistory, "database_unavailable", func(b *bench) {
			b.history.mu.Lock()
			defer b.history.mu.Unlock()
			b.history.err = errors.New("told to")
		}},
	} {
		b := newBench(t)
		gone.take(b)
		for _, r := range b.console.routes() {
			if strings.Contains(r.path, "*") {
				continue
			}
			b.settings.reset()
			path, says := filled(r.path), r.touches.any(gone.what)
			var got reply
			if surfaceOf(r.path) == api {
				got = b.call(t, r.method, path, operations[r.method+" "+r.path].example, "Authorization: Bearer "+b.token(t, auth.RoleRoot, auth.ForAPI))
				if unavailable := got.StatusCode == http.StatusServiceUnavailable && strings.Contains(got.body, gone.code); unavailable != says {
					t.Errorf("%s %s: without %s: says that it touches it: %t, unavailable: %t (%d %s)", r.method, r.path, gone.code, says, unavailable, got.StatusCode, view.Clip(got.body, 200))
				}
				continue
			}
			got = b.as(t, auth.RoleRoot, r.method, path, nil)
			if got.StatusCode == http.StatusServiceUnavailable && !says {
				t.Errorf("%s %s is unavailable without %s and does not say that it touches it", r.method, r.path, gone.code)
			}
		}
	}
}

// TestEveryKindHasAStatus: no kind of problem is answered with status 0.
func TestEveryKindHasAStatus(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for k := kindInternal; k <= kindNoAnswer; k++ {
		p := &problem{kind: k}
		if p.status() < 400 || failure(p).ErrorCode < 400 || seen[p.status()] {
			t.Errorf("kind %d: status %d, in the envelope %d", k, p.status(), failure(p).ErrorCode)
		}
		seen[p.status()] = true
	}
	if len(statuses) != len(seen) {
		t.Errorf("%d kinds in the table, %d there are", len(statuses), len(seen))
	}
}
