// Package judge decides whether a fleet of agents kept its promises. Simulated fleets (package
// fleetsim) and chaos campaigns on real processes gather their evidence into a [History]; each
// rule is implemented here, once, with violations that are planted into histories made by hand.
//
//	handlers, the tree, faults, operators ──▶ History ──Check──▶ violations ──Timeline──▶ text
//
// A history names the rules for which it has evidence, if these aren't all. Files are by subject:
//
//	check.go                        exclusion, tokens, misfires that are not owed, triggers
//	settlement.go, once.go          once per fire time, failovers
//	seconds.go                      no fire time lost, liveness, convergence: periods of seconds
//	hours.go, facts.go              the same for periods of minutes to days, by the history of the tree
//	holds.go                        holds of the schedule, and timeouts
//	tree.go                         owners and leftovers
//	requests*.go, recorded.go       requested runs, and their history in the database
//	machine.go                      rows, growth, console: only processes on a machine have them
//
// # Rules
//
//   - I1: no shard runs twice at once; the fencing token rises with each change
//     of owner. A run may be overtaken that cannot know it: its process is
//     paused, its session was taken away before its time, or its handler ignores
//     its context. The token of the overtaker must then be higher.
//   - I2: no fire time is lost. Several that were missed count as one, and if
//     the fleet was disturbed until the next one, that one serves for both.
//   - I3: a shard is settled once per fire time, whichever source runs it. settlement.go has
//     the rule: when a run settles its fire time for its own process, and when for the others.
//   - I4, I22: a failover needs an interruption of its own, doesn't begin before the fire
//     time that was interrupted, and names it to its handler. The fire time
//     follows from the runs and markers of the shard, and not from records of the agents.
//   - I8: a fire time is made up for under the policy of misfires only, and not if an edit of the
//     schedule or a switch came since; a manual run neither makes up for a fire time nor misses one.
//   - I5, I6, I7: in the quiet phase every shard runs at every fire time, has one
//     owner who lives and is enabled, and is resharded within a second
//     after a change.
//   - I23: a listener that is called once per run hears of the start and the end of at least
//     half of the fire times in the quiet phase.
//   - The only shard of a job with SINGLE_SHARDING_BALANCE rotates: the same
//     holds for it, and in the quiet phase no instance runs it twice in a row.
//   - Fire times are those of each process's own clock, and so is being late:
//     one that is ahead runs a fire time seconds before the others, and the shard
//     may move to one that is behind. Once per shard holds all the same.
//   - ended: no handler is called with a context that has ended.
//   - row, growth, console: rows of executions equal the executions; memory, goroutines and
//     descriptors don't grow; the console has no failure of its own, and agrees with the tree.
//   - I13: nothing in the tree speaks of an instance that has left; what an operator
//     disabled stays so.
//
// # Requested runs
//
// The checker follows each run by the nodes that came and went, transaction by
// transaction, and by what its handlers did, not by what records count:
//
//   - I16: what was answered is in the tree, once, whatever became of the answers before;
//     a key names one run until its time is over. After each transaction a run is in one
//     place until it has ended, ends once, and goes on nowhere.
//   - I17: a run that succeeded was executed to the end by every shard that took part; one
//     that failed had no attempt left, said so for good, or lost its processes; one that was
//     cancelled, skipped or has expired was that for a reason. No handler is at work on a run
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
//   - I24: when all is quiet, the database has each run as the registry does: the same outcome
//     if it has ended, and neither running nor ended if it waits. No execution of a living
//     process goes on after its run has ended. Processes record in batches, and a dead
//     process loses its batch.
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
// If a run began before the hold, and waits in its instance or for the others to start, the
// judge lets it go on.
//
// A history with next to no runs is a failure, not a success; so is a run of
// many seeds that hardly met one of the kinds of fault.
//
// # Periods of minutes to days
//
// The judge goes by the tree: configurations, server nodes, instances, markers
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
// nothing is made up for which was not missed, by its marker or by the run, and that
// nothing runs for a fire time at which every server was disabled, unless the owner of
// the shard had come from another server meanwhile and left; I5 that an
// enabled shard runs on time when nothing disturbs it, whatever the switches say.
// Where a change is within seconds of a fire time, or the rules say "may", neither
// is demanded. Clocks more than a minute apart are promised nothing.
//
// # Excuses
//
// Exceptions from the rules, and the reason for each. A test shows for each a
// history that is right and would be called wrong without it.
//
//   - unmonitored: without monitorExecution there are no markers and no records, so nothing
//     keeps two instances from running a shard, nor tells that it was run (I1, I3, I8).
//   - unaware: a process that stands still, or whose session was taken away before its time,
//     can't know that another instance has its shards (I1, I19).
//   - overtaken: a process that stood still between its marker and the first step of its
//     handler begins with an old token (I1). It can't look at ZooKeeper in between.
//   - deaf: a handler that ignores its context runs on next to its successor (I1).
//   - events lost: without a watch event an instance goes by what it knew until the next
//     audit (I1, I2, I8), and the outcome of a cancelled run may go before that (I24).
//   - unrecorded: a fire time that was completed may run again if the process could not record
//     it before the other instance began: it died, or was cut off. A process may record its
//     shards together, so it has 2 s after the slowest one of a run.
//   - marked: a run counts from its marker. One that was marked before the fire time was
//     settled, its shard disabled or its job edited, may go on, because no instance looks again
//     between marker and handler (I3, I5, I8).
//   - cut short: a handler that returned after its context had ended, or in the moment in which
//     it ended, may run again. Its agent had cancelled it and can't tell whether it did
//     its work (I3).
//   - never begun: a marker under which no handler was called doesn't tell its fire time if it
//     was made for a failover, next to a trigger, near a fire time by a clock that is off, or
//     by a process that was cut off until then (I3, I4, I22). The failover of a trigger that may
//     have been taken then is for that marker.
//   - triggered: a trigger that is taken in the very moment of a fire time reports that moment,
//     so its run looks like a second one for the fire time (I3).
//   - two triggers: while shards move, two instances that take the same trigger may both run a
//     shard. Only runs under one assignment are compared (I8).
//   - clocks astray: clocks that are more than a minute apart are promised nothing (I2, I3, I8).
//   - clocks differ: fire times are by each process's own clock, within what clocks may differ
//     by (I2, I4, I8).
//   - just edited: an edit is on its way to the agents for seconds, and what settings promised
//     ends with them (I2, I8).
//   - overrun: where handlers take longer than the period, fire times are missed all the time
//     (I2).
//   - busy: what was missed can't be made up for while a fault is at work, shards move, or the
//     process runs the job or waits for the others to call a listener. If the next fire time comes
//     first, it serves for both (I2, I5, I21).
//   - late: a run that comes late for its own fire time had to wait, and serves for those before
//     as well (I2, I8).
//   - new owner: a shard that had no owner until the next fire time is run for that (I2).
//   - refused: an agent whose clock is off by more than the job allows refuses it and logs
//     that (I2, I21).
//   - crowded out: a shard that waits for others of its run until the timeout of the job has
//     passed has failed (I2, I5).
//   - no misfire: with misfire off, a shard that changes hands may miss one fire time (I5).
//   - moving: a shard whose instances come or go at a fire time may have no owner then (I5, I21).
//   - clock set: an agent looks at its clock when a run begins, and the clock may be set then
//     (clock).
//   - nobody: with no enabled server, shards stay where they are (I6).
//   - slow handler: without monitorExecution nothing tells when the handlers of a job have
//     ended, which a resharding waits for (I7).
//   - pending: the misfire marker of a disabled shard waits until it is enabled; where handlers
//     overrun, one may stand at any time (I13).
//   - stranger: a node among the instances that has no valid name belongs to no process and has no
//     server node (I13).
//   - away: a fire time that no process remembers is made up for if it is the newest one and at
//     most an hour old (I2).
//   - closed: a fire time at which the servers were disabled is not missed (I2, I5).
//   - switched: enabling a server begins the accounting anew (I2).
//   - unseen: of two edits in short order nobody knows what the first one changed, so the second
//     one begins the accounting anew (I2).
//   - working: a fire time that comes during a run of the job passes, and is made up for if
//     misfire is on (I5).
//   - unscheduled: a job without a schedule keeps no records. A failover of what was triggered
//     gets the moment of the takeover (I22), and a process that ended the run during an outage
//     can't match the offer to that run (I3).
//   - retimed: the record of a job that rotates names triggers alone. If the schedule was edited
//     after a fire time, a failover gets the newest one of the new schedule (I22).
//   - added: a shard that an edit adds misses nothing before the leader has assigned it, which a
//     fault may delay (I2).
//   - obeying: a handler on a busy machine needs half a second to obey its context (I1).
//   - unwatched: where markers are not seen, an instance may have marked the shard for a fire time
//     in a disturbance and called no handler. A failover is for that one (I4, I22).
package judge
