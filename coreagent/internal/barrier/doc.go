// Package barrier has the instances of a job meet, so that a listener is notified
// once per run of the whole job, and not once on each instance. Nodes and order are
// those of ElasticJob's "distribute once" listeners.
//
//	settled view ▸ barrier started ▸ mark ▸ execute ▸ clear ▸ barrier completed
//
//	barrier: create guarantee/started/<own shards>
//	         all there? ──yes──▶ latch ▸ still all there? ▸ notify ▸ delete the barrier
//	             └──no──▶ wait until the own nodes have been deleted, or the deadline
//
// # Guarantees
//
// What ElasticJob leaves open is decided here:
//
//   - Everybody who waits looks again at each change, so that the death of the
//     last to come holds nobody up.
//   - Start nodes are ephemeral: who dies does not count any more. Who waits to
//     start has marked nothing, so a resharding does not wait for it; it steps
//     back and comes again with the shards it has then.
//   - Before the listener is notified, the barrier says so, with the fire time and
//     the process. If that instance dies in the midst of it, the next one reports
//     it instead of notifying twice; and whoever comes for a later fire time takes
//     what is left of an earlier one down first.
//   - An instance that the others have overtaken, because it was away, doesn't wait for
//     them any longer; it joins them at their next start. See label.go.
//   - Who waits for completion has nothing to do, and takes failed-over shards
//     of a dead instance meanwhile; those complete the barrier.
//   - Runs that make up for missed fire times do not meet, nor do failover runs
//     before they start: their start was notified already.
//
// The package needs five names of the job, see [Job], and the nodes.
package barrier
