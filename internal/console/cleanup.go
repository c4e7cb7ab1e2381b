package console

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

const (
	// MostCleaned is how many servers one clean-up takes.
	MostCleaned = 200
	// entriesAtOnce is how many entries it removes at the same time.
	entriesAtOnce = 16
	// cleanUpActions is how many times as long as one action a clean-up may take.
	cleanUpActions = 6
)

// CleanedUp is what became of the entries of one server.
type CleanedUp struct {
	IP string
	// Removed counts its entries that were removed, Kept those that were not.
	Removed, Kept int
	// Why is the reason that one was kept; nil if none was.
	Why error
}

// CleanUp removes the entries of servers that no instance lives on, job by job as
// the registry lists them; of a server that has rejoined they stay. Servers that no
// job lists are left out. It is one record of the audit. The error is that of the
// registry being away; what was removed before is in the list.
func (s *Console) CleanUp(c *gin.Context, ips []string) ([]CleanedUp, error) {
	servers, err := s.ReadServers(c)
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(ips))
	for _, ip := range ips {
		asked[ip] = true
	}
	var done []CleanedUp
	type entry struct {
		of     int
		target Target
	}
	var entries []entry
	for _, srv := range servers {
		if !asked[srv.IP] {
			continue
		}
		for _, job := range srv.JobNames {
			entries = append(entries, entry{len(done), Target{Job: job, IP: srv.IP}})
		}
		done = append(done, CleanedUp{IP: srv.IP})
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), cleanUpActions*s.opts.ActionTimeout)
	defer cancel()
	operator := s.RegistryOf(c).Operator
	var mu sync.Mutex
	err = rethrow.Each(ctx, entriesAtOnce, len(entries), func(ctx context.Context, i int) error {
		_, err := RemoveServer.CallVariant(operator, ctx, entries[i].target)
		mu.Lock()
		defer mu.Unlock()
		of := &done[entries[i].of]
		switch {
		case err == nil:
			of.Removed++
			return nil
		case errors.Is(err, lifecycle.ErrNotFound): // it no longer exists
			return nil
		}
		of.Kept++
		of.Why = err
		if errors.Is(err, lifecycle.ErrUnavailable) {
			return err // the others would fail alike
		}
		return nil
	})
	removed, kept := 0, 0
	for _, one := range done {
		removed, kept = removed+one.Removed, kept+one.Kept
	}
	s.Note(c, slog.String("order", "clean up"), slog.String("target", view.Clip(view.Enumerate(ips, 20), 400)), slog.Int("affected", removed), slog.Int("skipped", kept))
	if err != nil {
		p := s.ActionProblem(c, RemoveServer, Target{IP: view.Enumerate(ips, 3)}, err)
		Refused(c, p.Code)
		return done, p
	}
	return done, nil
}
