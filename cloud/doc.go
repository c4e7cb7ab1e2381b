// Package cloud has the types of ElasticJob-Cloud: applications, jobs whose shards are
// processes, their runs, and what a scheduler needs of its surroundings.
//
//	App ◀── Job ──▶ Schedule ──fire times──▶ Plan ──▶ Action: launch, postpone, miss, …
//	          │                                ▲          │
//	       Store: definitions, cursor, ────────┘          ▼
//	          ▲   fire times that are pending         Engine: Run ──▶ a Task per shard
//	          │                                           │
//	          └── Status ◀── Leadership: one scheduler ◀──┴─ TaskEvent ──▶ rows of the history
//
// A TRANSIENT job launches one [Run] per fire time, of one task per shard. A DAEMON job
// keeps one process per shard, which fires for itself. An [Engine] runs the tasks: on
// Kubernetes, or as processes of this host. A [Store] keeps what people have written, and
// the [Status] that schedulers write. Of several schedulers one leads ([Leadership]).
//
// # Guarantees
//
//   - The name of a run is made of its job and its fire time ([RunName]), and launching a
//     run that exists is success. So a lost reply, a crash between two steps and two
//     leaders at once end in one run per fire time.
//   - [Plan] is a pure function. What it decides depends on its argument alone, and a
//     scheduler only carries it out.
//   - Every number and text that comes from outside has a bound. Errors of [App.Validate]
//     and [Job.Validate] name the field, the value and what is allowed.
//   - The fields have upstream's names in JSON, so that documents of ElasticJob-Cloud fit.
//
// The package knows neither Kubernetes nor ZooKeeper. Its functions are safe for
// concurrent use; its values are, as long as nobody changes them.
package cloud
