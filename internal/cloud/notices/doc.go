// Package notices notifies people of failed runs of ElasticJob-Cloud's jobs: by mail, in a
// chat, or at an address that takes JSON, as the properties of the job say.
//
//	scheduler: a run failed ─▶ Notify ─ on the list? ─▶ its turn ─▶ internal/notify
//	                             │ no                     │            │ may pass: again,
//	                             ▼                        │            │ three attempts
//	                     refused, with what to do         ▼            ▼
//	                                        one at a time to a      sent, or the error
//	                                        destination, eight in
//	                                        all
//
// It runs in the scheduler and not in the program of a shard, so that the secrets of mail
// servers and robots stay out of pods.
//
// # Guarantees
//
//   - Nothing is sent but to hosts of Config.Allow, whatever a job says; the zero list allows
//     none. What a name stands for is looked at again when it is connected to. Where the
//     environment names an HTTP proxy, the proxy does that.
//   - No redirect is followed, no error has a secret, and what a program wrote is masked as
//     on the pages before it is sent.
//   - A destination that is slow or dead holds up those who wait for it and nobody else, and
//     each for no longer than its context lasts.
//   - A message is bounded: ten shards in a text, a hundred in a document.
//
// # Not guaranteed
//
//   - That a message arrives once: the scheduler calls at least once for each failed run, and
//     a message whose answer was lost is sent again.
package notices
