package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/events"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

const (
	// streamSettle is what follows a change at once and belongs to it: a
	// transaction, the nodes of a session that ended.
	streamSettle = 20 * time.Millisecond
	// streamPause is the least time between two messages of a stream.
	streamPause = 250 * time.Millisecond
	// streamBeat is how often a stream shows that it lives, and looks whether its
	// session does.
	streamBeat = 15 * time.Second
	// streamsInAll and streamsOfOne bound the streams that are open: of the console,
	// and of one account, which may be a whole team's.
	streamsInAll = 1000
	streamsOfOne = 400
	// streamRetry is after how many seconds a refused one may try again.
	streamRetry = 60
)

// streams are those that are open. The zero value has none.
type streams struct {
	mu     sync.Mutex
	open   map[*stream]bool
	ofOne  map[string]int
	closed bool
}

type stream struct {
	account, token string
	end            chan struct{} // closed when it has to end
}

// begin counts a stream in; nil if there are too many, or the console stops.
func (s *streams) begin(who auth.Identity) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.open) >= streamsInAll || s.ofOne[who.Name] >= streamsOfOne {
		return nil
	}
	if s.open == nil {
		s.open, s.ofOne = make(map[*stream]bool), make(map[string]int)
	}
	one := &stream{account: who.Name, token: who.TokenID, end: make(chan struct{})}
	s.open[one] = true
	s.ofOne[one.account]++
	return one
}

// leave counts a stream out.
func (s *streams) leave(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(one)
}

// drop forgets a stream, with mu held.
func (s *streams) drop(one *stream) {
	if !s.open[one] {
		return
	}
	delete(s.open, one)
	if s.ofOne[one.account]--; s.ofOne[one.account] == 0 {
		delete(s.ofOne, one.account)
	}
}

// Streams is how many streams are open.
func (s *Console) Streams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return len(s.streams.open)
}

// EndStreamsOf ends the streams of a token that was revoked.
func (s *Console) EndStreamsOf(token string) { s.streams.endOf(token) }

// endOf ends the streams of a token.
func (s *streams) endOf(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.open {
		if one.token == token {
			close(one.end)
			s.drop(one)
		}
	}
}

// EndStreams ends every stream and lets no other begin: a server that shuts down
// would wait for them.
func (s *Console) EndStreams() {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	s.streams.closed = true
	for one := range s.streams.open {
		close(one.end)
		s.streams.drop(one)
	}
}

// watch has note called with what changes in the registry and the history that a
// request is about, until cancel is called.
func (s *Console) watch(c *gin.Context, note func(events.Change)) (cancel func()) {
	var cancels []func()
	if at := s.RegistryOf(c); at.Changes != nil {
		cancels = append(cancels, at.Changes(func(n statistics.News) {
			change := events.Change{Kind: events.Jobs, Job: n.Job}
			if n.Connection {
				change.Kind |= events.Connection
			}
			note(change)
		}))
	}
	if s.Members(c) != nil {
		cancels = append(cancels, s.membersChanged.Subscribe(func(job string) { note(events.Change{Kind: events.Jobs, Job: job}) }))
	}
	if s.remembered(c) {
		cancels = append(cancels, s.board.changed.Subscribe(func(job string) { note(events.Change{Kind: events.Runs, Job: job}) }))
	}
	return func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

// StreamChanges answers with a stream of server-sent events. Each message names the
// regions of a page that changed since the one before. It ends with the session, and
// when the console stops.
func (s *Console) StreamChanges(c *gin.Context, topics []events.Topic) {
	who := Caller(c)
	one := s.streams.begin(who)
	if one == nil {
		s.Fail(c, Problem{Kind: KindUnavailable, Code: "too_many_streams", Retry: streamRetry}.SaidAs(i18n.Lang.ProblemStreams, i18n.Lang.ProblemStreamsHint))
		return
	}
	defer s.streams.leave(one)
	box := events.NewBox(topics)
	defer s.watch(c, box.Note)()

	h := c.Writer.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no") // a proxy must pass each message on
	c.Status(http.StatusOK)
	out := &streamWriter{c: c, control: http.NewResponseController(c.Writer)}
	if out.write(fmt.Sprintf("retry: %d\n: begun\n\n", (2*time.Second).Milliseconds())) != nil {
		return
	}
	feedStream(c.Request.Context(), one, box, out, func() bool { return s.stillIn(c) })
}

// feedStream writes what changes until the stream is over, or its session.
func feedStream(ctx context.Context, one *stream, box *events.Box, out *streamWriter, stillIn func() bool) {
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	settle := time.NewTimer(time.Hour)
	defer settle.Stop()
	var last time.Time
	wake := box.Wake()
	for {
		text := ": \n\n"
		select {
		case <-wake:
			wake = nil // until what belongs together was sent
			settle.Reset(max(streamSettle, streamPause-time.Since(last)))
			continue
		case <-settle.C:
			wake, last = box.Wake(), time.Now()
			text = "data: " + strings.Join(box.Take(), " ") + "\n\n"
		case <-beat.C:
		case <-one.end:
			return
		case <-ctx.Done():
			return
		}
		if !stillIn() || out.write(text) != nil {
			return
		}
	}
}

// stillIn reports whether the session of a request that goes on is still good.
func (s *Console) stillIn(c *gin.Context) bool {
	_, denied, err := s.identify(c, Page)
	return denied == "" || err != nil // who cannot ask lets nobody in, and throws nobody out
}

// streamWriter writes messages, each with a deadline of its own.
type streamWriter struct {
	c       *gin.Context
	control *http.ResponseController
}

func (w *streamWriter) write(text string) error {
	if err := w.control.SetWriteDeadline(time.Now().Add(streamBeat)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("write an event: %w", err)
	}
	if _, err := w.c.Writer.WriteString(text); err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	if err := w.control.Flush(); err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	return nil
}
