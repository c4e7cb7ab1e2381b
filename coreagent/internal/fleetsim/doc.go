// Package fleetsim runs whole fleets of agents in virtual time under random faults. Package judge
// decides whether they kept their promises. It consists of tests only.
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
// A seed decides everything about a fleet: 2 to 50 agents, one to three jobs with their shards,
// periods, settings and handlers (short, longer than the period, failing, panicking, ignoring their
// context), the kinds of faults, and the error of each process's clock. In four of ten fleets an
// extra job gets requested runs, and in one of three an operator holds and releases jobs. After the
// faults have ended and the fleet had time to repair itself, there's a quiet phase in which one
// instance joins and one leaves in an orderly way.
//
// There are three kinds of fleets. In a fleet of seconds, each job runs every few seconds for
// minutes. In a fleet of hours with 1 to 3 agents, a job runs every few minutes, hours or days, for
// half a day to four days. Faults last seconds to hours.
//
// An everyday fleet is typical for most users: 2 to 4 agents, and jobs that run each hour or each
// day for 5 seconds to 2 minutes, over a few fire times. Faults happen in the second before a fire
// time or in the two minutes after, often several at once: deaths, disconnects, outages, orderly
// restarts, edits, a job that is removed from an agent and added again, or all servers disabled
// over a fire time while an instance is cut off.
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
// New seeds are derived from the time, and the first one is printed. Without any of these
// variables, a dozen fixed fleets of each kind run, plus all fleets that have failed once. Under the
// race detector, which takes ten times as long, only one in eight of these runs.
//
// # Faults and requests
//
// Faults of hours are an instance that is cut off, frozen or away; the whole fleet down; the server
// down; edits of cron, zone, shard number and every setting, half of them written directly as
// Java's console does; servers and shards that are disabled and enabled; foreign nodes among the
// instances; numbers at the limits of their types; and clocks that step, by hours if jobs check
// them.
//
// A submitter has its own client, and also loses requests and answers. It and agents request runs
// of a job that assigns each to one shard or to all: with delays, reused keys, shards, expiries and
// every overlap policy. Runs are cancelled, started at once, and held. Shards are disabled and
// their number changes. Handlers fail, fail permanently, panic, ask for a retry time, snooze or
// skip. One run kills its process, and sometimes a process is cut off at work for about a session
// timeout.
// # What differs on replay
//
// A seed fixes the plan, the faults and their times, and the lost requests and events, counted per
// connection. It doesn't fix the order of goroutines at one virtual instant, the jitter drawn by
// agents and client, and map iteration. A violation that needs one of these may take a few replays,
// so its report includes the whole timeline.
//
// # Limitations
//
//   - A paused process's handlers make no progress and its network is blocked, but its timers go
//     on. It learns of its lost session during the pause, not afterwards. A handler called in that
//     time begins after the pause, or not at all if its context has ended by then. We can't block
//     its calls to the clock or the log, because these may hold a lock, and that would stop the
//     time of the whole bubble. The tests of coreagent freeze real processes.
//   - Clocks differ by seconds (F14), or by hours if the jobs check them (H10). Daylight saving
//     time is covered by tests of coreagent, engine and quartz. If a job doesn't allow the
//     difference, the agent refuses to run it, and fire times may be lost as long as the log
//     reports that.
//   - Over hours, we judge a rotating job like any other, without checking which instance has the
//     turn.
//   - For requested runs: Java's agents, and refused parameters. If some clocks are so wrong that
//     jobs don't run, no runs are requested.
//   - A trigger must run during a hold only for jobs without requested runs.
//   - A lagging server, because we only simulate one server, not an ensemble.
//   - ZooKeeper loses no watch event on a live connection. If the simulation does, I1 judges
//     overlaps instead of tokens, because without the event an owner can't know that its token was
//     renewed. The fleet gets an additional audit (the reconcile interval) to repair itself, and
//     until then an instance may use the settings from before an edit.
//   - If monitorExecution is off or handlers outlast their period, we only judge liveness, coverage
//     and orphans.
//   - Sub-millisecond races between goroutines of one process, because the race detector covers
//     them. A context may end between the agent's check and the handler call, so we don't judge
//     that. TestCancelledShardThatWaitsForAPlace does, for the case in which the agent can know.
package fleetsim
