// Package engine serves jobs. A [Job] coordinates the parts that register it in the tree, follow
// the tree, and run its shards:
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
//     of them is running, and assigns them after it. So Go agents never run one shard twice at the
//     same time, with any timing. Java agents don't check their assignment before they start a shard,
//     so a fleet with Java agents only has ElasticJob's guarantees.
//   - When the session is lost, the contexts of running shards end at once, and nothing new starts
//     before the job is registered in the new session.
//   - If a shard misses a fire time, it makes up for it, and for nothing else (see package misfire).
//     A completed fire time never runs again (see package run).
//   - A panic ends no process and disturbs no other job. A panic of user code fails the shard or the
//     call. A panic of the engine, a recorder or a tracer breaks its job: see broken.go.
//
// With monitorExecution off we write no markers, so the first guarantee doesn't hold, as in
// ElasticJob.
package engine
