package zkfake

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// session is one client session. It outlives its connections, and a stop of the server.
type session struct {
	id       int64
	timeout  time.Duration
	deadline time.Time // expiry unless the client sends something
	conn     *conn     // nil while disconnected
}

// touch records a heartbeat. The clock looks at the deadline when the earlier one has passed.
func (ss *session) touch(now time.Time) { ss.deadline = now.Add(ss.timeout) }

// negotiate clamps the requested timeout.
func (s *Server) negotiate(asked time.Duration) time.Duration {
	return min(max(asked, s.opts.MinSessionTimeout), s.opts.MaxSessionTimeout)
}

// password is required to resume a session.
func (s *Server) password(id int64) []byte {
	sum := sha256.Sum256(strconv.AppendInt(s.secret[:], id, 10))
	return sum[:16]
}

// createSession starts a session in a transaction.
func (s *Server) createSession(timeout time.Duration) *session {
	s.begin(0, nil)
	ss := &session{id: s.nextSession, timeout: timeout, deadline: time.Now().Add(timeout)}
	s.nextSession++
	s.sessions[ss.id] = ss
	s.stats.SessionsCreated++
	s.wakeClock()
	return ss
}

// resumeSession sets the timeout that the client negotiated this time.
func (s *Server) resumeSession(ss *session, timeout time.Duration) {
	ss.timeout = timeout
	ss.touch(time.Now())
	s.wakeClock()
}

// closeSession ends a session and removes its ephemeral nodes in one transaction. The caller ends
// the connection.
func (s *Server) closeSession(ss *session) {
	tx := s.begin(ss.id, nil)
	for path := range s.tree.ephemerals[ss.id] {
		s.tree.remove(tx, path, s.tree.nodes[path])
	}
	delete(s.sessions, ss.id)
	s.fireChanges()
}

// expireSession ends an expired session and cuts its connection, if any.
func (s *Server) expireSession(ss *session) {
	s.stats.SessionsExpired++
	s.closeSession(ss)
	if ss.conn != nil {
		ss.conn.close()
	}
}

// runClock expires sessions and reaps containers. It's the server's only goroutine that waits for
// time.
func (s *Server) runClock() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.mu.Lock()
		next := s.tick(time.Now())
		s.mu.Unlock()
		if next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
		}
		select {
		case <-timer.C:
		case <-s.clock:
		case <-s.done:
			return
		}
	}
}

// wakeClock makes the clock check again.
func (s *Server) wakeClock() { wake.Up(s.clock) }

// tick does the due work and returns the time of the next check, or zero if nothing is planned.
func (s *Server) tick(now time.Time) time.Time {
	if s.state != running {
		return time.Time{}
	}
	var next time.Time
	var overdue []*session
	for _, ss := range s.sessions {
		if !ss.deadline.After(now) {
			overdue = append(overdue, ss)
		} else if next.IsZero() || ss.deadline.Before(next) {
			next = ss.deadline
		}
	}
	slices.SortFunc(overdue, func(a, b *session) int { return cmp.Or(a.deadline.Compare(b.deadline), cmp.Compare(a.id, b.id)) })
	for _, ss := range overdue {
		s.opts.Logger.Info("session expired", "session", ss.id, "timeout", ss.timeout)
		s.expireSession(ss)
	}
	if len(s.tree.reapable) > 0 {
		if round := s.nextReap(now); next.IsZero() || round.Before(next) {
			next = round
		}
	}
	return next
}

// planReap starts the reaping rhythm when the first node that can be reaped appears. Earlier rounds
// don't count.
func (s *Server) planReap() {
	if len(s.tree.reapable) == 1 {
		s.reapRound = time.Since(s.started) / s.opts.ContainerCheckInterval
	}
	s.wakeClock()
}

// nextReap reaps if a round is due and returns the next round. Rounds have a fixed rhythm from the
// server's start. The timer runs only if there's something to reap; otherwise an idle server would
// keep virtual time going in a synctest bubble.
func (s *Server) nextReap(now time.Time) time.Time {
	every := s.opts.ContainerCheckInterval
	round := now.Sub(s.started) / every // a count
	if round > s.reapRound {
		s.reapRound = round
		s.reap(now)
	}
	return s.started.Add((round + 1) * every) //nolint:durationcheck // a count of intervals
}

// reap deletes used containers and overdue TTL nodes without children, each in a transaction.
func (s *Server) reap(now time.Time) {
	for path := range s.tree.reapable {
		n := s.tree.nodes[path]
		if len(n.children) > 0 {
			continue
		}
		if n.owner == ownerContainer {
			if n.creates == 0 {
				continue // never used, its creator is about to fill it
			}
		} else if now.UnixMilli()-n.Mtime <= n.owner&ttlMax {
			continue
		}
		s.tree.remove(s.begin(0, nil), path, n)
		s.fireChanges()
	}
}

func nowMillis() int64 { return time.Now().UnixMilli() }
