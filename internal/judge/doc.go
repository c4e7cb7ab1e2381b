// Package judge decides whether a fleet of agents kept its promises. Simulated fleets (package
// fleetsim) and chaos campaigns on real processes gather their evidence in a [History]. Each rule
// is implemented once, here, and tested with violations planted in handmade histories.
//
//	handlers, the tree, faults, operators ──▶ History ──Check──▶ violations ──Timeline──▶ text
//
// A history lists the rules that it has evidence for, unless it has evidence for all. Files by
// subject:
//
//	check.go                        exclusion, tokens, undue misfires, triggers
//	settlement.go, once.go          once per fire time, failovers
//	seconds.go                      no fire time lost, liveness, convergence: periods of seconds
//	hours.go, facts.go              the same for periods of minutes to days, from the history of the tree
//	holds.go                        holds of the schedule, and timeouts
//	tree.go                         owners and leftovers
//	requests*.go, recorded.go       requested runs, and their history in the database
//	machine.go                      rows, growth, console: only for processes on a machine
//
// # Rules
//
//   - I1: no shard runs twice at once, and the fencing token rises with each change of owner. A
//     run that can't know may be overtaken: its process is paused, its session was taken away
//     early, or its handler ignores its context. Then the overtaking run's token must be higher.
//   - I2: no fire time is lost. Several missed ones count as one. If the fleet was disturbed
//     until the next fire time, that one covers both.
//   - I3: a shard is settled once per fire time, no matter what triggered the run. settlement.go
//     has the rule: when a run settles its fire time for its own process, and when for the others.
//   - I4, I22: a failover needs its own interruption, doesn't begin before the interrupted fire
//     time, and passes it to its handler. The fire time follows from the runs and markers of the
//     shard, not from records of the agents.
//   - I8: a fire time is made up for only if misfire is on, and not if the schedule was edited or
//     the server or shard was enabled since. A manual run neither makes up for a fire time nor
//     misses one.
//   - I5, I6, I7: in the quiet phase every shard runs at every fire time, has one live and
//     enabled owner, and is resharded within a second after a change.
//   - I23: a once-per-run listener is called at the start and end of at least half of the fire
//     times in the quiet phase.
//   - The only shard of a job with SINGLE_SHARDING_BALANCE rotates. The same rules apply, and in
//     the quiet phase no instance runs it twice in a row.
//   - Each process has fire times and delays by its own clock. A process with a fast clock runs a
//     fire time seconds before the others, and the shard may then move to a process with a slow
//     clock. Still, it runs once per shard.
//   - ended: no handler is called with an ended context.
//   - row, growth, console: rows of executions match the executions; memory, goroutines and
//     descriptors don't grow; the console has no errors of its own and agrees with the tree.
//   - I13: the tree has no nodes of departed instances, and servers disabled by an operator stay
//     disabled.
//
// # Requested runs
//
// The checker follows each run through its nodes, transaction by transaction, and through the
// actions of its handlers, not through the counts in records:
//
//   - I16: an answered request is in the tree, once, no matter what happened to earlier answers.
//     A key names one run until it expires. After each transaction a run is in one place until it
//     has ended. It ends once and doesn't go on elsewhere.
//   - I17: a successful run was executed completely by every participating shard. A failed run
//     had no attempt left, failed permanently, or lost its processes. A cancelled, skipped or
//     expired run has a reason for that. No handler works on a run that has ended.
//   - I18: a shard with a confirmed end runs again only if it failed or asked for it, and not
//     more often than there are attempts. A shard that died runs at most three times, or only once
//     if the job says so.
//   - I19: nothing begins before the time of its request, next attempt or snooze, nor while
//     requests are held, unless a person asks, nor after it was cancelled. Running handlers learn
//     of a cancel, and of the job's timeout when it has passed but not before. A handler that obeys
//     the timeout has failed, permanently if it says so.
//   - I20: every run ends, or waits for a time, a release, or an agent. While a due run waits and
//     nothing disturbs the fleet, there's progress in some run. Runs requested by a person don't
//     wait for a release. For I13, only outcomes, remembered keys and future runs remain below
//     extension/runs.
//   - I24: once all is quiet, the database has each run as in the registry: with the same outcome
//     if it has ended, and neither running nor ended if it waits. No execution of a live process
//     goes on after its run has ended. Processes record in batches, and a dead process loses its
//     batch.
//
// I1 covers fire times and requested runs together. In fleets of hours, ten minutes correspond to a
// second: delays and snoozes last up to hours, sometimes weeks, and back-offs minutes.
//
// # Holds
//
//   - I21: while the schedule is held, no fire time runs and no misfire is made up for. Current
//     runs go on, interrupted ones are failed over, and a trigger runs. The release makes up for
//     nothing: neither for suppressed fire times nor for earlier missed ones, no matter which
//     instance was away. It begins a new accounting for I2 and I8.
//
// A run may go on if it began before the hold and waits in its instance or for the others.
//
// A history with hardly any runs is a failure, and so is a series of many seeds that hardly met one
// of the kinds of fault.
//
// # Periods of minutes to days
//
// The judge uses the tree: the sequence of configurations, server nodes, instances, markers and
// live processes is known. Records that agents write about themselves, below extension/fired, don't
// count. A shard has missed a fire time if the schedule of that time has it, the shard completed
// nothing for it or a later one, and
//
//   - the last change of cron, zone, clock-change property, misfire or monitorExecution was
//     earlier, and misfire and monitorExecution are on;
//   - the shard and a server with an instance were enabled;
//   - a process that had been an instance was alive, or it's the newest such fire time and at
//     most the [Window] older than the return of the fleet.
//
// I2 demands a run once nothing has disturbed the fleet for long enough. I8 demands that only
// missed fire times are made up for, by the marker or by the run, and that nothing runs for a fire
// time at which every server was disabled, unless the owner of the shard had come from another
// server in the meantime and left. I5 demands that an enabled shard runs on time when nothing
// disturbs it, no matter how misfire and monitorExecution are set. If a change is within seconds of
// a fire time, or if the rules use "may", neither is demanded. Clocks more than a minute apart have
// no guarantees.
//
// # Excuses
//
// Exceptions from the rules, with their reasons. For each, a test has a correct history that would
// be a violation without it.
//
//   - unmonitored: without monitorExecution there are no markers and no records, so nothing keeps
//     two instances from running a shard or shows that it ran (I1, I3, I8).
//   - unaware: a process that is suspended or lost its session early can't know that another
//     instance has its shards (I1, I19).
//   - overtaken: a process that was suspended between its marker and the first step of its
//     handler begins with an old token (I1). It can't ask ZooKeeper in between.
//   - deaf: a handler that ignores its context keeps running next to its successor (I1).
//   - events lost: without a watch event an instance relies on its old state until the next audit
//     (I1, I2, I8), and the outcome of a cancelled run may be removed first (I24).
//   - unrecorded: a completed fire time may run again if the process could not record it before
//     the other instance began, because it died or was cut off. A process may record its shards
//     together, so it has 2 s after the slowest one of a run.
//   - marked: a run counts from its marker. If it was marked before the fire time was settled,
//     its shard disabled or its job edited, it may go on, because no instance checks again between
//     marker and handler (I3, I5, I8).
//   - cut short: a handler that returned after or just when its context ended may run again. Its
//     agent had cancelled it and can't know whether it finished (I3).
//   - never begun: a marker without a handler call doesn't show its fire time if it was made for
//     a failover, next to a trigger, near a fire time by a wrong clock, or by a process that was
//     cut off until then (I3, I4, I22). The failover of a trigger that may have been taken then is
//     for that marker.
//   - triggered: a trigger taken exactly at a fire time reports that time, so its run looks like
//     a second one for the fire time (I3).
//   - two triggers: while shards move, two instances that take the same trigger may both run a
//     shard. Only runs under one assignment are compared (I8).
//   - clocks astray: clocks more than a minute apart have no guarantees (I2, I3, I5, I8). The
//     fire times that such a clock has shown early may have been settled then.
//   - clocks differ: fire times are by each process's own clock, within the allowed difference
//     (I2, I4, I8).
//   - just edited: an edit takes seconds to reach the agents, and ends the promises of the
//     earlier settings (I2, I8).
//   - overrun: if handlers take longer than the period, fire times are missed all the time (I2).
//   - busy: a missed fire time can't be made up for while a fault lasts, shards move, or the
//     process runs the job or waits for the others to call a listener. If the next fire time comes
//     first, it covers both (I2, I5, I21).
//   - late: a run that is late for its own fire time had to wait, and also covers earlier ones
//     (I2, I8).
//   - new owner: a shard without an owner until the next fire time runs for that one (I2).
//   - refused: an agent with a larger clock error than the job allows refuses it and logs that
//     (I2, I21).
//   - crowded out: a shard fails if it waits for others of its run until the job's timeout has
//     passed (I2, I5).
//   - no misfire: with misfire off, a shard that moves may miss one fire time (I5).
//   - moving: a shard may have no owner at a fire time if instances join or leave then (I5, I21).
//   - clock set: an agent checks its clock when a run begins, and the clock may be set then
//     (clock).
//   - no server: with no enabled server, shards stay where they are (I6).
//   - slow handler: without monitorExecution nothing shows when the handlers of a job have ended,
//     and a resharding waits for that (I7).
//   - pending: the misfire marker of a disabled shard waits until the shard is enabled. If
//     handlers overrun, there may always be a marker (I13).
//   - stranger: an invalid name among the instances belongs to no process and has no server node
//     (I13).
//   - away: a fire time that no process remembers is made up for only if it's the newest one and
//     at most an hour old (I2).
//   - closed: a fire time at which the servers were disabled isn't missed (I2, I5).
//   - switched: enabling a server begins a new accounting (I2).
//   - unseen: if two edits follow quickly, the first one's change is unknown, so the second one
//     begins a new accounting (I2).
//   - working: a fire time during a run of the job passes, and is made up for if misfire is on
//     (I5).
//   - unscheduled: a job without a schedule keeps no records. The failover of a trigger gets the
//     time of the takeover (I22), and a process that ended the run during an outage can't match the
//     offer to that run (I3).
//   - retimed: the record of a rotating job names only triggers. If the schedule was edited after
//     a fire time, a failover gets the newest one of the new schedule (I22).
//   - added: a shard that an edit adds misses nothing before the leader has assigned it, which a
//     fault may delay (I2).
//   - obeying: a handler on a busy machine needs half a second to obey its context (I1).
//   - unwatched: if markers aren't visible, an instance may have marked the shard for a fire time
//     during a disturbance and called no handler. A failover is for that fire time (I4, I22).
package judge
