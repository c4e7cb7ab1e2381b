package errorhandler

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"
)

// maxText bounds what is kept of an error for a notification, in bytes. A
// stack is rarely longer, and a queue of them must not fill the memory.
const maxText = 16 << 10

// notifier is a handler that tells somebody about errors.
type notifier struct {
	typeName    string
	place       string        // the destination, for the log
	destination string        // the destination, for the queue
	timeout     time.Duration // of one delivery
	scrub       scrubber
	send        func(ctx context.Context, text string) error
	outbox      *outbox
	log         *slog.Logger
}

// Handle queues the notification and returns at once, always nil.
func (n *notifier) Handle(ctx context.Context, job string, cause error) error {
	text := clip(strings.ToValidUTF8(cause.Error(), "�"), maxText)
	n.outbox.post(delivery{
		destination: n.destination,
		timeout:     n.timeout,
		send: func(ctx context.Context) error {
			return n.send(ctx, headline(job)+", caused by "+text)
		},
		sent: func() {
			n.log.InfoContext(ctx, "error notification sent", "job", job, "handler", n.typeName, "to", n.place)
		},
		failed: func(reason error) {
			n.log.ErrorContext(ctx, headline(job), "job", job, "err", n.scrub.text(text), //nolint:sloglint // ElasticJob's own headline, with the job's name
				"handler", n.typeName, "to", n.place, "not_sent", n.scrub.error(reason))
		},
	})
	return nil
}

// String names the handler without its secrets, however it is formatted.
func (n *notifier) String() string { return n.typeName + " " + n.place }

// GoString is String: the %#v form would show the fields.
func (n *notifier) GoString() string { return n.String() }

// clip cuts a text to at most limit bytes, between characters, and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n... (%d bytes in all)", len(text))
	end := max(0, limit-len(note))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	// A copy, so that the rest can be freed.
	return text[:end] + note
}
