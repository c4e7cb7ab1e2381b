// Package errorhandler does what a job's configuration says about failures:
// ElasticJob's handlers LOG, THROW, IGNORE, EMAIL, WECHAT and DINGTALK, and
// those that users register under names of their own.
//
//	JobHandler.Update(type, properties)     one per job, at each trigger
//	       │ made anew only if something changed
//	       ▼
//	JobHandler.Handle(ctx, err) ──▶ LOG      ──▶ slog
//	       │                        THROW    ──▶ the error is returned: stop the run
//	       │                        IGNORE
//	       │                        (custom) ──▶ the user's code, guarded
//	       │                        EMAIL, WECHAT, DINGTALK
//	       │                            │ returns at once
//	       ▼                            ▼
//	    job goes on                 outbox: one queue per destination, bounded
//	                                    │ one delivery at a time and destination
//	                                    ▼
//	                                internal/notify: mail, chat ──failed──▶ slog, as LOG
//
// A [Set] holds what the jobs of one agent share: the registered names and the
// outbox. A goroutine exists per destination, and only while something waits
// for it.
//
// # Guarantees
//
//   - A notification never delays a job and never fails it. Handle queues it or,
//     if the queue is full, writes the error to the log and counts it.
//   - No error is lost: one whose notification could not be delivered is
//     logged as LOG would, with the reason.
//   - A delivery ends within its deadline. A destination that is slow or dead
//     holds up its own queue, and fills at most a quarter of all room.
//   - A password, a signing secret or a webhook's token appears in no error, in
//     no log line and in no formatted handler.
//   - Close delivers what is queued, within its context.
//
// # Not guaranteed
//
//   - That a notification arrives: there is one attempt. Chat services allow a
//     robot some twenty messages a minute and refuse the others; those go to
//     the log.
//   - The order of notifications to different destinations.
//
// # Where this differs from ElasticJob in Java
//
// The mail settings are the job's own; in Java those of the first job of a
// process serve all. Mail content is escaped, so that an error text cannot be
// markup. The server's certificate must match its name. Texts are cut to what
// the chat services accept, instead of being refused by them. With
// email.useSsl=false the connection is encrypted if the server offers
// STARTTLS, without looking at the certificate: better than plain text, which
// is what was asked for. An empty user name means no authentication.
//
// The mail client is net/smtp: it needs no further module in an agent that is
// embedded in somebody's service, and lacks only AUTH LOGIN and a deadline,
// which are here.
package errorhandler
