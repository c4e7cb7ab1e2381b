// Package crdstore keeps jobs and applications of ElasticJob-Cloud in custom resources of
// Kubernetes: ElasticJob and ElasticJobApp of cloud.elasticjob.dev/v1. Their definitions are
// in deploy/crds; an administrator installs them.
//
//	Create ──▶ spec                       object Slug(name), the name itself in spec
//	Change ──▶ merge patch of what differs, with the resourceVersion it was made from
//	             spec alone, status alone:  one write
//	             both:  spec and a note of the status ▶ status ▶ the note is removed
//	Watch ◀── table ◀── two informers: list, then watch; after a gap list again
//	   └──▶ condition Accepted of what is refused: NameTaken, Invalid
//
// # Guarantees
//
//   - A change is compare-and-set: each write names the version of the whole object, status
//     included, and the API server refuses it if there is another one. The first attempt is
//     made from what the watch has reported, without a read. An answer that nothing is to be
//     written comes from a value that was read for it.
//   - A patch says what differs and nothing else. So fields of a newer version survive, in
//     objects and in lists whose other entries change.
//   - Spec and status are two writes for the API server, and one change for this package. The
//     first write has the new spec, and the change of the status as an annotation: it is the
//     commit. From then on every reader of this package sees both, and every writer completes
//     the status before a change of its own. So a crash between the writes leaves a job that
//     is disabled, with nothing pending and its cursor where it belongs, or one that is
//     unchanged: no order of the two writes alone could promise that, for a job that is
//     switched off needs its spec first and one that is switched on needs its status first.
//     The annotation names the object's UID, so that a copy of the object means nothing by it.
//   - One object alone is the job of a name: the oldest, over all namespaces of a store. Younger ones get the condition
//     Accepted=False, reason NameTaken, and are not reported. When the oldest is deleted, the
//     next one is reported as another job.
//   - An object that cannot be read is reported with its error, and gets the condition
//     Accepted=False, reason Invalid. Others are not affected.
//   - Conditions have the form that kubectl wait understands.
//   - Of several namespaces, one that may not be read is reported as unread, with what was known
//     of it, and the others are reported. An object that was refused for one of its objects
//     stays refused.
//   - If the resources are not installed, every call says so with the command that installs
//     them, and a watch that begins later finds them.
//
// What the scheduler keeps is its status: backup and restore of the objects is all there is
// to backup. An object that is being deleted is no job any more.
package crdstore
