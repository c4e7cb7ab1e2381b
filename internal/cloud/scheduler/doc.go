// Package scheduler launches the runs of cloud's jobs: the process that leads plans and
// carries out, the others keep up with what there is.
//
//	Store.Watch ──┐                                              ┌─▶ fires lane: Engine.Launch
//	              ├─▶ mirror ──dirty jobs──▶ term: cloud.Plan ───┤
//	Engine.Watch ─┘     │          ▲  ▲                          ├─▶ other lane: End, Resume, Daemon, Forget
//	                    │          │  └── heap of wake times     ├─▶ notices: Notify
//	                    │          │                             └─▶ status: Store.Change, late
//	                    │          └───── what came of it ◀──────────────┘
//	                    └─tasks─▶ cloud.Rows ─▶ tracing.Recorder
//
// A process watches the store and the engine all the time, into the mirror. While it leads,
// a term exists: one goroutine that asks [cloud.Plan] for each job that something happened
// to or whose time has come, and lets lanes of bounded width carry out what takes time.
//
// # Guarantees
//
//   - Of one job, one action is under way at a time, in the order of the plan. So a fire time
//     is never settled before those that came earlier.
//   - Launches have a lane of their own: bookkeeping never delays them. A launch that has to
//     be tried again holds up its own job only.
//   - Each launch asks first whether this process still leads.
//   - What a plan calls durable is in the store before the next action of its job. The rest
//     of a status is written at most each five seconds, and always before a run is forgotten.
//   - Somebody is notified at least once of each failed run whose job asks for it: a run is
//     the last one of a status only when all notifications up to it were sent or given up. A
//     leader that dies in between has the next one notify again.
//   - All rows that the engine still knows are recorded again by a new leader; their ids are
//     the same.
//   - Of a namespace that store or engine cannot read nothing is begun, and nothing is ended: nobody
//     knows whose its runs are. Jobs of other namespaces are not affected.
//   - Memory grows with jobs, runs and tasks that exist, and with nothing else.
package scheduler
