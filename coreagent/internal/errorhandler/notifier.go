package errorhandler

import (
	"context"
	"log/slog"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
)

// maxText limits the text of an error in a notification, in bytes. A stack trace is rarely longer,
// and a queue of them must not fill the memory.
const maxText = 16 << 10

// notifier is a handler that sends notifications of errors.
type notifier struct {
	sender *notify.Sender
	outbox *outbox
	log    *slog.Logger
}

// Handle queues the notification and returns nil at once.
func (n *notifier) Handle(ctx context.Context, job string, cause error) error {
	text := notify.Clip(mask.Text(strings.ToValidUTF8(cause.Error(), "�")), maxText)
	n.outbox.post(delivery{
		destination: n.sender.Key(),
		timeout:     n.sender.Timeout,
		send: func(ctx context.Context) error {
			return n.sender.Send(ctx, notify.Message{Text: headline(job) + ", caused by " + text})
		},
		sent: func() {
			n.log.InfoContext(ctx, "error notification sent", "job", job, "handler", n.sender.Type, "to", n.sender.Place)
		},
		failed: func(reason error) {
			n.log.ErrorContext(ctx, headline(job), "job", job, "err", n.sender.Hide(text), //nolint:sloglint // ElasticJob's own headline, with the job's name
				"handler", n.sender.Type, "to", n.sender.Place, "not_sent", reason)
		},
	})
	return nil
}

// String returns the handler without its secrets, for all formats.
func (n *notifier) String() string { return n.sender.String() }

// GoString returns String, because %#v would show the fields.
func (n *notifier) GoString() string { return n.String() }
