// Package notices notifies people of failed runs of ElasticJob-Cloud's jobs: by mail, in a chat, or
// with JSON to an address, according to the job's properties.
//
//	scheduler: a run failed ─▶ Notify ─ on the list? ─▶ its turn ─▶ internal/notify
//	                             │ no                     │            │ may pass: again,
//	                             ▼                        │            │ three attempts
//	                     refused, with what to do         ▼            ▼
//	                                        one at a time to a      sent, or the error
//	                                        destination, eight in
//	                                        all
//
// It runs in the scheduler and not in a shard's program, so the secrets of mail servers and chats
// stay out of pods.
//
// # Guarantees
//
//   - Messages only go to hosts in Config.Allow, regardless of the job; the zero list allows
//     none. The address behind a name is checked again when connecting. If the environment
//     names an HTTP proxy, the proxy does that.
//   - No redirect is followed, no error contains a secret, and program output is masked as on
//     the pages before it's sent.
//   - A slow or dead destination only delays messages to itself, each for no longer than its
//     context.
//   - A message is limited: ten shards in a text, a hundred in a document.
//
// # Not guaranteed
//
//   - Single delivery: the scheduler calls at least once for each failed run, and a message
//     with a lost answer is sent again.
package notices
