package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/events"
)

// TestStreamsPause: however much changes, a stream has four messages a second at most, and
// none is lost.
func TestStreamsPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent := httptest.NewRecorder()
		c, _ := gin.CreateTestContext(sent)
		box := events.NewBox([]events.Topic{{Region: "jobs", On: events.Jobs}, {Region: "outage", On: events.Connection}})
		ctx, end := context.WithCancel(t.Context())
		go feedStream(ctx, &stream{end: make(chan struct{})}, box, &streamWriter{c: c, control: http.NewResponseController(c.Writer)}, func() bool { return true })
		for range 200 { // Two seconds.
			box.Note(events.Change{Kind: events.Jobs})
			time.Sleep(10 * time.Millisecond)
		}
		box.Note(events.Change{Kind: events.Connection})
		time.Sleep(time.Second)
		end()
		synctest.Wait()
		messages := strings.Split(strings.TrimSpace(sent.Body.String()), "\n\n")
		if n := len(messages); n < 8 || n > 10 || messages[0] != "data: jobs" || !strings.Contains(messages[n-1], "outage") {
			t.Errorf("%d messages in two seconds: %q", n, messages)
		}
	})
}
