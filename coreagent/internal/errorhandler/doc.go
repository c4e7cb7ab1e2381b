// Package errorhandler handles failures as a job's configuration demands. It has ElasticJob's
// handlers LOG, THROW, IGNORE, EMAIL, WECHAT and DINGTALK, and handlers registered by users.
//
//	JobHandler.Update(type, properties)     one per job, at each trigger
//	       │ a new handler only if something changed
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
// A [Set] holds the parts shared by the jobs of one agent: the registered names and the outbox.
// Each destination has a goroutine while it has notifications.
//
// # Guarantees
//
//   - A notification never delays or fails a job. Handle queues it, or if the queue is full, logs
//     the error and counts it.
//   - No error is lost. If its notification can't be delivered, it's logged as LOG would do, with
//     the reason.
//   - A delivery ends within its deadline. A slow or dead destination only blocks its own queue,
//     which uses at most a quarter of all room.
//   - Passwords, signing secrets and webhook tokens never appear in errors, log lines or
//     formatted handlers.
//   - Close delivers queued notifications within its context.
//
// # Not guaranteed
//
//   - A notification may not arrive, because there's only one attempt. Chat services allow a
//     robot about twenty messages a minute and refuse the rest, which are logged.
//   - The order of notifications to different destinations.
//
// # Where this differs from ElasticJob in Java
//
// The mail settings are the job's own; in Java the first job's settings apply to all jobs of a
// process. Mail content is escaped, so an error text can't contain markup. The server's certificate
// must match its name. Texts are cut to the limits of the chat services instead of being refused.
// With email.useSsl=false the connection is still encrypted if the server offers STARTTLS, without
// checking the certificate, which is better than plain text. An empty user name means no
// authentication.
//
// The mail client is net/smtp, so that embedding an agent in a service needs no extra module. It
// only lacks AUTH LOGIN and a deadline, which are added here.
package errorhandler
