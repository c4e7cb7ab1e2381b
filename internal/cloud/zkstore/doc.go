// Package zkstore stores jobs and applications of ElasticJob-Cloud in ZooKeeper, in the tree of
// upstream's scheduler, and elects one of our and upstream's schedulers.
//
//	Create, Change ──one transaction──▶ config/job/NAME       upstream's document
//	                                    extension/job/NAME    fields that upstream lacks
//	                                    extension/status/NAME what schedulers keep
//	                                    state/disable/job/NAME
//	Watch ◀──recipe.Cache, all of it────┘
//	Leadership ──▶ ha/election: the queue of upstream's LeaderSelector
//
// # Guarantees
//
//   - A change is one transaction that depends on everything it was computed from, so of two
//     concurrent changes one is repeated. Creating and deleting change the version of the
//     extension's root, so a change never reaches a later job of the same name.
//   - Documents keep their format, YAML or JSON, and unknown fields. They never get a field that
//     upstream doesn't know, because its YAML reader would refuse the whole document.
//   - Changes by upstream, its separate console or a person are seen like our own. If the job
//     was deleted and recreated without us, our older nodes don't count.
//   - A watch survives the loss of the session and reports the changes since.
//   - The context of a leader ends when the session may have ended, by the local clock, before
//     the server may let another process lead.
//
// A job of upstream is disabled if its switch is set. Its document can also disable it; enabling a
// job corrects both.
package zkstore
