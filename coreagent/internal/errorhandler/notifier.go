package errorhandler

import (
	"context"
	"log/slog"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
)

// maxText bounds what is kept of an error for a notification, in bytes. A
// stack is rarely longer, and a queue of them must not fill the memory.
const maxText = 16 << 10

// notifier is a handler that tells somebody about errors.
type notifier struct {
	sender *notify.Sender
	outbox *outbox
	log    *slog.Logger
}

// Handle queues the notification and returns at once, always nil.
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

// String names the handler without its secrets, however it is formatted.
func (n *notifier) String() string { return n.sender.String() }

// GoString is String: the %#v form would show the fields.
func (n *notifier) GoString() string { return n.String() }
