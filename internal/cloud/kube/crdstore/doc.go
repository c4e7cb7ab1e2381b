// Package crdstore stores jobs and applications of ElasticJob-Cloud in custom resources of
// Kubernetes: ElasticJob and ElasticJobApp of cloud.elasticjob.dev/v1. Their definitions are in
// deploy/crds; an administrator installs them.
//
//	Create ──▶ spec                       object Slug(name), the name itself in spec
//	Change ──▶ merge patch of what differs, with the resourceVersion it was made from
//	             spec alone, status alone:  one write
//	             both:  spec and a note of the status ▶ status ▶ the note is removed
//	Watch ◀── two informers: list, then watch; after a gap list again
//	   └──▶ condition Accepted of what is refused: NameTaken, Invalid
//
// # Guarantees
//
//   - A change is compare-and-set: each write names the version of the whole object, including
//     its status, and the API server refuses it if there is another one. The first attempt uses
//     the watch's last report without a read, but "nothing to write" needs a fresh read.
//   - A patch only has differences, so fields of a newer version survive, in objects and in
//     lists with other changed entries.
//   - Spec and status are two writes for the API server, and one change for this package. The
//     first write has the new spec, and the change of the status as an annotation: it is the
//     commit. From then on every reader of this package sees both, and every writer completes
//     the status before its own change. So after a crash between the writes the job is either
//     disabled, with nothing pending and a correct cursor, or unchanged. No order of the two
//     writes alone could guarantee that, because switching off needs the spec first, and
//     switching on the status. The annotation has the object's UID, so it has no effect in a
//     copy of the object.
//   - Only the oldest object with a name, over all namespaces of a store, is the job. Younger
//     ones get the condition Accepted=False, reason NameTaken, and aren't reported. When the
//     oldest is deleted, the next one is reported as another job.
//   - An unreadable object is reported with its error, and gets the condition Accepted=False,
//     reason Invalid. Others are not affected.
//   - Conditions have the form that kubectl wait understands.
//   - If one of several namespaces is unreadable, it is reported as unread with its last known
//     state, and the others normally. An object refused in favour of one of its objects stays refused.
//   - If the resources are not installed, every call returns the command that installs them, and
//     a later watch finds them.
//
// The scheduler's state is in the status, so a backup of the objects is complete. An object that is
// being deleted no longer counts as a job.
package crdstore
