// Package cloud has the types of ElasticJob-Cloud: applications, jobs with processes as their
// shards, their runs, and the interfaces that a scheduler needs.
//
//	App ◀── Job ──▶ Schedule ──fire times──▶ Plan ──▶ Action: launch, postpone, miss, …
//	          │                                ▲          │
//	       Store: definitions, cursor, ────────┘          ▼
//	          ▲   fire times that are pending         Engine: Run ──▶ a Task per shard
//	          │                                           │
//	          └── Status ◀── Leadership: one scheduler ◀──┴─ TaskEvent ──▶ rows of the history
//
// A TRANSIENT job launches one [Run] per fire time, with one task per shard. A DAEMON job keeps one
// process per shard, which fires by itself. An [Engine] runs the tasks on Kubernetes or as
// processes of this host. A [Store] keeps configurations and the [Status] that schedulers write.
// One of several schedulers leads ([Leadership]).
//
// # Guarantees
//
//   - A run's name consists of its job and its fire time ([RunName]), and launching an existing
//     run succeeds. So a lost reply, a crash between two steps and two leaders at once still
//     result in one run per fire time.
//   - [Plan] is a pure function of its argument. A scheduler only carries out its actions.
//   - Every number and text from outside has a limit. Errors of [App.Validate] and
//     [Job.Validate] name the field, the value and the allowed values.
//   - The JSON fields have upstream's names, so documents of ElasticJob-Cloud fit.
//
// The package doesn't depend on Kubernetes or ZooKeeper. Its functions are safe for concurrent use,
// and so are its values while they aren't changed.
package cloud
