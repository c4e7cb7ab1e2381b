// Package failover gives the shards that a crashed instance was running to others.
//
//	an instance has left ──▶ what did it run? ──▶ release its markers ▸ offer the shards
//	   (watch)                  (its markers)          leader/failover/items/<shard>
//	                                                              │
//	free instance ──▶ claim: sharding/<shard>/failover, failovering, offer deleted
//	                     └─▶ run, which ends with the claim's nodes deleted
//
// Who releases what a dead instance left reads its markers and removes them later.
// The markers alone do not tell whether they are the same then: that of a taker
// looks like the dead owner's to ZooKeeper, version and all. Two things keep a
// release that comes late from removing another one's marker:
//
//   - the fence, among agents of this kind: the data version of the node above
//     those of the agents grows with each release, and each is refused unless the
//     version is the one it knew before it read the markers;
//   - ElasticJob's failover latch, beside Java's: what is offered is taken under it
//     only.
//
// Where every instance is of this kind a survivor that is free therefore needs one
// transaction to release the shards, offer them and take one.
//
// # Guarantees
//
//   - A shard is offered only if its dead owner was running it, or had claimed it,
//     and only while failover is on: the transaction depends on the configuration
//     that says so.
//   - The offer names the fire time that was interrupted. A run that only got ready
//     before its fire time isn't offered.
//   - An offer whose fire time was completed by another source is never claimed: the
//     claim depends on the version of the shard's fire record. Offers by Java and by
//     older versions name no fire time, and stand for the newest one before them.
//   - Of several instances that claim a shard one gets it, by one transaction.
//   - What an instance has made since it rejoined is left alone: a lost session is
//     replaced under the same id, and so is a container that is started again.
//   - A claim whose outcome nobody knows, because no answer came, is reported to the
//     job, which offers the shard again.
//   - A token of an owner is newer than that of whoever ran the shard as a failover, also
//     if failover is switched off during that run.
//
// The package needs two names of the job, see [Job], and five of the instance that
// may claim, see [Taker].
package failover
