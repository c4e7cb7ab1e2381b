// Package scheduler launches the runs of Cloud's jobs. Each process mirrors the store and the
// engine; the process that leads also plans for each job and carries the plan out.
//
// # Guarantees
//
//   - For each job, actions happen one after another, in the order of [cloud.Plan]. So a fire time
//     is never settled before earlier ones.
//   - Launches have their own pool of calls, so bookkeeping never delays them. A launch that must be
//     tried again holds up only its own job.
//   - Each call checks first that this process still leads.
//   - A durable action is in the store before the next action of its job. Other changes of a status
//     are written within five seconds, and always before a run is forgotten.
//   - If a job asks for it, people are notified at least once of each failed run. A run becomes the
//     last run of a status only after all notifications up to it were sent or given up. If the leader
//     dies before that, the next leader notifies again.
//   - A new leader records all rows again that the engine still has. Their ids stay the same.
//   - In a namespace that the store or the engine can't read, nothing begins and nothing ends, because
//     we can't know which job its runs belong to. Jobs of other namespaces are not affected.
//   - Memory grows only with the jobs, runs and tasks that exist.
//
// # One look at a job
//
//	Store.Watch ──┐
//	              ├─▶ mirror ──▶ observation ──┐
//	Engine.Watch ─┘                            ├─▶ plan ──▶ actions ──▶ perform ──▶ store, engine,
//	                        the job's memory ──┘    │                               Notify
//	                            ▲    ▲              │                                  │
//	                            │    └── replaces ──┘                                  │
//	                            └─────────── finish ◀──────── result ──────────────────┘
//
// A term looks at a job (term.step) when the mirror has news, a call has ended, or its wake time
// has come. The function plan makes the whole decision: it's pure, its tables of tests are in
// plan_test.go. Methods of planner decide one thing each:
//
//	if …                                    then …                                      method
//	the job's document or its namespace     nothing begins or ends                      plan
//	  can't be read
//	the job was deleted, or made again      its runs are killed, and forgotten after    endOrphans
//	                                        15 minutes; DAEMON processes stop           stopDaemon
//	a run vanished from the engine          it isn't repeated, because its fire time    cloud.Plan
//	  (its Job was deleted in Kubernetes)   is behind the cursor. Pending ones go on,
//	                                        and no notice is sent. The engine reports
//	                                        its tasks as lost or killed; the ones that  term.record
//	                                        it doesn't report become TASK_UNKNOWN.
//	  before it was ever reported           likewise, after the engine's next list      catchUp
//	a run ended                             it becomes the last run; notify if failed   noticeEnds
//	the engine refused a launch             ask again in a minute, or after a change    mayAct
//	a task can't start for too long         it ends as TASK_ERROR                       endStuck
//	a fire time came, the job was switched  follow cloud.Plan                           followPlan
//	the processes differ from the job's     Engine.Daemon, again after 30 s             keepDaemon
//	there are more runs than history keeps  they're forgotten, if all is stored         trim
//	changes of the status are due           Store.Change                                save
//
// # States
//
// A job makes two kinds of calls one at a time: memory.turn is the call of the engine that its next
// action waits for, memory.backlog the write of its status.
//
//	  ┌─────────────── done ──────────────┐
//	  ▼              begin                │
//	idle ───────────────────────────▶ calling
//	  │ a change came                  ▲   │
//	  │ (backlog)       begin, in time │   │ failed, or refused
//	  └───────────▶ waiting ───────────┘   │
//	                   ▲                   │
//	                   └───────────────────┘
//
// A run, as a term sees it:
//
//	launched ── reported ──▶ working ── ended ──▶ noticed ── notified and stored ──▶ forgotten by trim
package scheduler
