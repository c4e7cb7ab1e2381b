// Package engine serves jobs. A [Job] coordinates the parts that register it in the tree, follow the
// tree, and run its shards:
//
//	                 ┌──────────────────── one Job ─────────────────────┐
//	watch event ──kick──▶ control: register ▸ refresh ▸ publish a view   │
//	session change ─────▶           ▸ elect ▸ flag ▸ reshard ▸ failover  │
//	timer, trigger ─────▶ run: queue ▸ mark ▸ fire time ▸ execute ▸ clear│
//	bell ───────────────▶ requested: claim ▸ run ▸ settle                │
//	                 └──────────────────────────────────────────────────┘
//
//	joining ──registered──▶ serving ──Stop──▶ leaving ──nothing runs──▶ departed
//	   ▲   │                   │ panic                                     ▲
//	   │   └──refused: looks again                                         │
//	   └──── pause ◀──────── broken          shut down by an operator ─────┘
//
// Each part is a goroutine that exists only while it has something to do. An idle job costs a heap
// entry in the timer queue and its watches, no goroutine and no timer of its own.
//
// # Guarantees
//
//   - A leader takes the shards that move from their owners in a transaction that proves that none
//     of them runs, and gives them out after it. So Go agents never run one shard twice at the same
//     time, whatever the timing. Java agents start shards without looking at their assignment, so
//     next to them the promise is ElasticJob's.
//   - When the session is lost, the contexts of running shards end at once, and nothing new starts
//     before the job is registered under the new session.
//   - A fire time that a shard has missed is made up for, and nothing else is (see package misfire).
//     A fire time that was completed never runs again (see package run).
//   - A panic ends no process and disturbs no other job. A panic of user code fails the shard or the
//     call. A panic of the engine, a recorder or a tracer breaks its job: see broken.go.
//
// With monitorExecution off no markers are written, and with them goes the first guarantee, as in
// ElasticJob.
package engine
