// Package fleetsim runs whole fleets of agents in virtual time under random
// faults. Package judge decides whether they kept their promises. All of it is
// tests, because that is all it is for.
//
//	seed ──▶ plan ──▶ ┌──────────────── synctest bubble ────────────────┐
//	                  │ process ── link ──┐                              │
//	                  │ process ── link ──┼── in-process ZooKeeper       │
//	                  │ process ── link ──┘        │ observer            │
//	                  │    ▲  faults   operator    │                     │
//	                  └────│───────────────────────│─────────────────────┘
//	                 handlers record          the tree records
//	                       └────────▶ History ◀────┘
//	                                    │
//	                                  Check ──▶ violations ──▶ Timeline
//
// A seed decides everything a fleet is: 2 to 50 agents, one to three jobs with
// their shards, periods, settings and handlers (short, longer than the period,
// failing, panicking, deaf to their context), which kinds of fault happen, and how
// far each process's clock is off. In four fleets of ten a job besides the others gets
// requested runs, and in one of three an operator holds jobs and releases them.
// After the faults have ended and the fleet had time to repair itself follows a
// quiet phase in which an instance comes and one goes in order.
//
// There are three kinds of fleet. In one of seconds each job runs every few seconds
// for minutes. In one of hours a job runs each few minutes, hours or days, for
// half a day to four days, with 1 to 3 agents; faults last seconds to hours.
//
// An everyday fleet is what most users have: 2 to 4 agents, jobs that run each hour or each
// day for 5 seconds to 2 minutes, and nothing else for a few fire times. What goes wrong does
// so in the second before a fire time or in the two minutes after, often several things at
// once: deaths, cuts, outages, restarts in order, edits, a job that is removed from an agent
// and added again, all servers disabled over a fire time while an instance is cut off.
//
//	SIM_SEEDS=2000 go test ./... -run SimFleets       2,000 new fleets of seconds
//	SIM_HOURS=500 go test ./... -run SimHours         500 new fleets of hours
//	SIM_EVERYDAY=500 go test ./... -run SimEveryday   500 new everyday fleets
//	SIM_BASE=k                                    seeds from k on, not new ones
//	SIM_SEED=7                                    replays one; SIM_REPEAT=k does so k times
//	SIM_ALL=1                                     goes on after a seed that fails
//	SIM_REQUESTS=1                                only fleets of which runs are requested
//	SIM_HOLDS=1                                   only fleets of which jobs are held
//	SIM_EXCUSES=1                                 counts the fleets that need each excuse
//
// New seeds follow from the time and the first one is printed: a seed that was
// looked at proves nothing about the others. Without any of these variables a
// dozen fixed fleets of each kind run, and those that have failed once; under the
// race detector, which takes ten times as long, one of eight of them.
//
// # Faults and requests
//
// Faults of hours are an instance that is cut off, frozen or away; the whole fleet
// down; the server down; edits of cron, zone, shard number and every switch, half
// of them past our operations, as Java's console makes them; servers and shards
// that are disabled and enabled; nodes of strangers among the instances; numbers
// at the edges of their types; clocks that step, by hours where jobs check them.
//
// A submitter has a client of its own, and loses requests and answers, too. It and
// agents ask for runs of a job that assigns each to one shard, or to each: with delays,
// keys that come again, shards, expiries and every overlap policy. They are cancelled,
// begun at once, and held; shards are disabled and their number changes.
// Handlers fail, fail for good, panic, name a time, snooze, find nothing to do; one run
// kills its process; now and then a process is cut off at work for about a session.
//
// # What differs on replay
//
// A seed fixes the plan, the faults and their times, and which requests and
// events are lost, counted per connection. It does not fix the order in which
// goroutines run at one virtual instant, the jitter that agents and client draw
// for themselves, and map iteration. A violation that needs one of those may
// take a few replays; its report therefore carries the whole timeline.
//
// # What it does not cover
//
//   - A paused process's handlers take no step and nothing of it passes the
//     network, but its timers go on: it learns of its lost session while it is
//     paused, not after, and a handler that is called meanwhile begins after it, or
//     not at all if its context has ended by then. Whoever asks for the time often holds a lock, and the
//     client logs while it holds one: to make them wait would stop the bubble's
//     time for everybody. Real processes are frozen in the tests of coreagent.
//   - Clocks differ by seconds (F14), or by hours where the jobs check them (H10).
//     Summer time is the business of tests of coreagent, engine and quartz. Where a
//     job does not allow the difference, the agent refuses to run it, and a fire
//     time may be lost as long as its log says so.
//   - Over hours, a job that rotates is judged like any other, but not whose turn
//     it is.
//   - Of requested runs: agents of Java; parameters that are refused. Where some clocks are
//     so wrong that jobs are not run, nobody asks for runs.
//   - A trigger is demanded to run during a hold only of jobs of which no runs are requested.
//   - One server, not an ensemble; a client never meets a server that lags.
//   - ZooKeeper loses no watch event on a connection that lives. Where the
//     simulation does, I1 judges overlaps and not tokens, because an owner cannot
//     know without the event that its token was renewed; the fleet is given one
//     audit more, the reconcile interval, to repair itself; and until then an
//     instance may go by the settings of before an edit.
//   - With monitorExecution off, and as far as handlers outlast their period, only
//     liveness, coverage and orphans are judged.
//   - Sub-millisecond races between goroutines of one process: that is the race
//     detector's field. A context may end between the agent's look at it and the call of the
//     handler, so the simulation doesn't judge that. TestCancelledShardThatWaitsForAPlace does
//     where the agent can know.
package fleetsim
