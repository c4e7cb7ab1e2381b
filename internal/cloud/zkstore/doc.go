// Package zkstore keeps jobs and applications of ElasticJob-Cloud in ZooKeeper, in the
// tree of upstream's scheduler, and elects one scheduler of ours and of upstream's.
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
//   - A change is one transaction that depends on everything it was made from: of two at
//     the same time one is made again. Making and deleting changes the version of the
//     extension's root, so that a change never reaches a later job of the same name.
//   - Documents keep their format, YAML or JSON, and what is in them that this module does
//     not know. They never get a field that upstream does not know: its YAML reader would
//     refuse the whole document.
//   - What upstream, its separate console or a person changes is seen like our own changes.
//     A part of ours is older than the document if somebody has deleted and made the job
//     without us, and then does not count.
//   - A watch survives the loss of the session and tells what has changed meanwhile.
//   - The context of a leader ends when the session may have ended, by the local clock,
//     before the server may let anybody else lead.
//
// A disabled job of upstream is one whose switch is set. Its document can say the same;
// enabling a job corrects both.
package zkstore
