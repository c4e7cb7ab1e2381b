// Package failover moves the shards that a crashed instance was running to other instances.
//
//	an instance has left ──▶ what did it run? ──▶ release its markers ▸ offer the shards
//	   (watch)                  (its markers)          leader/failover/items/<shard>
//	                                                              │
//	free instance ──▶ claim: sharding/<shard>/failover, failovering, offer deleted
//	                     └─▶ run, which ends with the claim's nodes deleted
//
// Releasing a dead instance's markers means reading them and removing them later. ZooKeeper can't
// show whether they've changed, because a taker's marker looks like the dead owner's, including the
// version. Two mechanisms keep a late release from removing another instance's marker:
//
//   - the fence, among agents of our kind: each release raises the data version of the agents'
//     parent node. It fails unless the version is the one from before the markers were read;
//   - ElasticJob's failover latch, together with Java's agents: offers are only taken under it.
//
// So if all instances are of our kind, a free survivor releases, offers and takes shards in one
// transaction.
//
// # Guarantees
//
//   - A shard is offered only if its dead owner was running it or had claimed it, and only while
//     failover is on. The transaction checks the configuration.
//   - The offer names the interrupted fire time. A run that only got ready before its fire time
//     isn't offered.
//   - An offer isn't claimed if its fire time was completed elsewhere, because the claim checks
//     the version of the shard's fire record. Offers by Java and by older versions name no fire
//     time, and count for the newest one before them.
//   - If several instances claim a shard, one of them gets it, in one transaction.
//   - Markers that an instance has made since it rejoined stay. After a lost session or a
//     container restart, it rejoins under the same id.
//   - If a claim gets no reply, its outcome is unknown. The job is notified and offers the shard
//     again.
//   - An owner's token is newer than the token of an instance that ran the shard as a failover,
//     even if failover is switched off during that run.
//
// The package depends on two interfaces: [Job], and [Taker] for the instance that may claim.
package failover
