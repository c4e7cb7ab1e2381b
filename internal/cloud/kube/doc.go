// Package kube runs the tasks of ElasticJob-Cloud on Kubernetes. A run is an Indexed Job, and a
// task is one of its pods. The processes of a DAEMON job are a StatefulSet.
//
//	Launch ──manifest (pure)──▶ Job NAME-FIRETIME ──Job controller──▶ a pod per shard
//	End, Resume ──command noted in the Job─┘                               │
//	Daemon ──manifest (pure)──▶ StatefulSet NAME ── its controller ──▶ a pod per shard
//	     Watch ◀── judge (pure): what state, why ◀── informers of them ────┘
//	     Logs ──▶ pods/log        Explain ──▶ what pods wait for, events of the Job
//
// # Guarantees
//
//   - A run's name consists of its job and its fire time, and creating the Job is the commit. So
//     a lost reply, a crash and two schedulers at once result in one Job. A run that is ended
//     keeps its Job and its name until Forget.
//   - A command becomes an annotation of the Job before it takes effect, so any scheduler can
//     report who ended a task.
//   - The state of a task follows its container. A removed pod is never judged by its exit code:
//     a command, the deadline or the condition DisruptionTarget decides, and "somebody else" is
//     reported only after reading the Job again.
//   - The final state of a task never changes.
//   - A shard of a DAEMON job has at most one process, even if a node is silent, because the
//     pod's number is the shard's. Each start of a container is a task of one run, which lasts
//     until the job is disabled or deleted.
//   - With the store of package crdstore, a run belongs to its ElasticJob and is deleted with
//     it. Its tasks then count as killed, not as lost.
//   - An init container with the program's rights fetches the archive. If the archive is
//     refused, the shard fails at once with the init container's message.
//   - A pod is restricted: no root, no token, no capability, only cloud.PodSettings. A document
//     can't request more.
//
// # Several namespaces
//
// [Engines] joins one [Engine] per namespace. Package crdstore has one store for all, because the
// oldest object owns a name across namespaces. They share clients and request limits.
//
//	Job.Namespace ──▶ where Launch, Daemon and Create go; "" is the first
//	RunStatus.Ref ──▶ where End, Resume, Forget and Explain go; a bare name is looked for
//	a namespace that is refused ──▶ cloud.EventUnread, with what was known of it last
//	      and that ends or begins ──▶ the watch ends, and its caller begins anew
//
// Unreadable objects never count as deleted: the scheduler ends and starts nothing there. If the
// API server doesn't answer at all, a watch ends like a single namespace's. We don't list all
// namespaces at once (a ClusterRole), because a namespace with revoked rights would look empty.
//
// Only this package, crdstore below it, kubetest and programs import k8s.io. We link typed clients
// of five API groups, and the dynamic one for our resources, not all of client-go.
package kube
