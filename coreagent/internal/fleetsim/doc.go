// Package fleetsim runs whole fleets of agents in virtual time under random
// faults, and judges what they did. The histories and the checker are the
// package; the simulated world is its tests, because that is all they are for.
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
// There are two kinds of fleet. In one of seconds each job runs every few seconds
// for minutes. In one of hours a job runs each few minutes, hours or days, for
// half a day to four days, with 1 to 3 agents; faults last seconds to hours.
//
//	SIM_SEEDS=2000 go test ./... -run SimFleets   2,000 new fleets of seconds
//	SIM_HOURS=500 go test ./... -run SimHours     500 new fleets of hours
//	SIM_BASE=k                                    seeds from k on, not new ones
//	SIM_SEED=7                                    replays one; SIM_REPEAT=k does so k times
//	SIM_ALL=1                                     goes on after a seed that fails
//	SIM_REQUESTS=1                                only fleets of which runs are requested
//	SIM_HOLDS=1                                   only fleets of which jobs are held
//
// New seeds follow from the time and the first one is printed: a seed that was
// looked at proves nothing about the others. Without any of these variables a
// dozen fixed fleets of each kind run, and those that have failed once; under the
// race detector, which takes ten times as long, one of eight of them.
//
// # What is judged
//
//   - I1: no shard runs twice at once; the fencing token rises with each change
//     of owner. A run may be overtaken that cannot know it: its process is
//     paused, its session was taken away before its time, or its handler ignores
//     its context. The token of the overtaker must then be higher.
//   - I2: no fire time is lost. Several that were missed count as one, and if
//     the fleet was disturbed until the next one, that one serves for both.
//   - I3, I4, I8: nothing that was finished runs again; each interruption is
//     failed over once at most; what was missed is made up for once, under that
//     policy only; a manual run neither makes up for a fire time nor misses one.
//   - I5, I6, I7: in the quiet phase every shard runs at every fire time, has one
//     owner who lives and is enabled, and is resharded within a second
//     after a change.
//   - The only shard of a job with SINGLE_SHARDING_BALANCE rotates: the same
//     holds for it, and in the quiet phase nobody runs it twice in a row.
//   - Fire times are those of each process's own clock, and so is being late:
//     one that is ahead runs a fire time seconds before the others, and the shard
//     may move to one that is behind. Once per shard holds all the same.
//   - I13: nothing in the tree speaks of an instance that has left; what an operator
//     disabled stays so.
//
// # Requested runs
//
// A submitter with a client of its own, whose requests and answers are lost, too, and
// agents ask for runs of a job that assigns each to one shard, or to each: with delays,
// keys that come again, shards, expiries and every overlap policy. They are cancelled,
// begun at once, and held; shards are disabled and their number changes meanwhile.
// Handlers fail, fail for good, panic, name a time, snooze, find nothing to do; one run
// kills whoever runs it; now and then a process is cut off at work for about a session.
//
// The checker follows each run by the nodes that came and went, transaction by
// transaction, and by what its handlers did, not by what records count:
//
//   - I16: what was answered is in the tree, once, whatever became of the answers before;
//     a key names one run until its time is over. After each transaction a run is in one
//     place until it has ended, ends once, and goes on nowhere.
//   - I17: a run that succeeded was executed to the end by every shard that took part; one
//     that failed had no attempt left, said so for good, or lost its processes; one that was
//     cancelled, skipped or has expired was that for a reason. Nobody is at work on a run
//     that has ended.
//   - I18: a shard whose end is confirmed runs again only if it failed or asked for it,
//     not more often than there are attempts; what died, three times at most, and never if
//     the job says so.
//   - I19: nothing begins before the time of its request, its next attempt or its snooze,
//     nor while requests are held unless a person asks, nor after it was cancelled; handlers
//     at work learn of that, and of the job's timeout when it has passed, not before. A
//     handler that obeys the timeout has failed, for good if it says so.
//   - I20: every run ends, or waits for a time, a release, or an agent. While one waits
//     whose time has come, and nothing disturbs the fleet, something happens to some run;
//     what a person asked for waits for no release. Of I13: nothing is left below
//     extension/runs but outcomes, keys that are remembered, and runs whose time is to come.
//
// I1 holds for fire times and requested runs together. In fleets of hours ten minutes stand
// for a second: delays and snoozes last up to hours, now and then weeks, back-offs minutes.
//
// # Holds
//
//   - I21: while the schedule is held no fire time runs, and nothing is made up for; what
//     runs goes on, what was interrupted is failed over, and a trigger runs. The release
//     makes up for nothing: neither for what it kept back, nor for what was missed before,
//     whoever was away meanwhile. It begins the accounting of I2 and I8 anew.
//
// What waits in an instance since before the hold is not judged.
//
// A history with next to no runs is a failure, not a success; so is a run of
// many seeds that hardly met one of the kinds of fault.
//
// # What is judged over hours
//
// Faults of hours are an instance that is cut off, frozen or away; the whole fleet
// down; the server down; edits of cron, zone, shard number and every switch, half
// of them past our operations, as Java's console makes them; servers and shards
// that are disabled and enabled; nodes of strangers among the instances; numbers
// at the edges of their types; clocks that step, by hours where jobs check them.
//
// [CheckHours] judges by the tree: configurations, server nodes, instances, markers
// and who lives are known in order. What agents record about themselves, below
// extension/fired, counts for nothing. A fire time is missed for a shard if the
// schedule then in force has it, nothing was completed for it or a later one, and
//
//   - the last change of cron, zone, clock-change property, misfire or
//     monitorExecution was before it, and both switches are on;
//   - the shard and a server with an instance were enabled;
//   - a process was there that had been an instance, or it is the newest such fire
//     time and at most the [Window] older than the return of the fleet.
//
// I2 demands a run as soon as nothing disturbed the fleet for long enough; I8 that
// nothing is made up for which was not missed, by its marker or by the run; I3 that
// what was completed never runs again, whatever was edited since; I5 that an
// enabled shard runs on time when nothing disturbs it, whatever the switches say.
// Where a change is within seconds of a fire time, or the rules say "may", neither
// is demanded. Clocks more than a minute apart are promised nothing.
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
//     detector's field.
package fleetsim
