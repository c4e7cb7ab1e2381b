// Package barrier lets the instances of a job meet, so that a listener is notified once per run of
// the whole job instead of once per instance. Nodes and order are as in ElasticJob's "distribute
// once" listeners.
//
//	settled view ▸ barrier started ▸ mark ▸ execute ▸ clear ▸ barrier completed
//
//	barrier: create guarantee/started/<our shards>
//	         all there? ──yes──▶ latch ▸ still all there? ▸ notify ▸ delete the barrier
//	             └──no──▶ wait until our nodes have been deleted, or the deadline
//
// # Guarantees
//
// Where ElasticJob leaves the behavior open, these rules apply:
//
//   - All waiting instances look again at each change, so the death of the last one to come
//     blocks no other.
//   - Start nodes are ephemeral, so a dead instance no longer counts. An instance that waits to
//     start has marked nothing, so a resharding doesn't wait for it; it steps back and returns with
//     its new shards.
//   - Before the listener is called, a notice with the fire time and the process is written to
//     the barrier. If that instance dies during the call, the next one reports it instead of
//     notifying twice. An instance that comes for a later fire time first removes the leftovers of
//     an earlier one.
//   - An instance that was away while the others moved on doesn't wait for them any longer. It
//     joins them at their next start. See label.go.
//   - While an instance waits for completion it's idle, so it takes failover shards of dead
//     instances. Those complete the barrier.
//   - Misfire runs don't meet, nor do failover runs before they start, because their start was
//     notified already.
package barrier
