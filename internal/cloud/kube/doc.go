// Package kube runs the tasks of ElasticJob-Cloud on Kubernetes: a run is an Indexed Job,
// a task is a pod of it. The processes of a DAEMON job are a StatefulSet.
//
//	Launch ──manifest (pure)──▶ Job NAME-FIRETIME ──Job controller──▶ a pod per shard
//	End, Resume ──command noted in the Job─┘                               │
//	Daemon ──manifest (pure)──▶ StatefulSet NAME ── its controller ──▶ a pod per shard
//	     Watch ◀── judge (pure): what state, why ◀── informers of them ────┘
//	     Logs ──▶ pods/log        Explain ──▶ what pods wait for, events of the Job
//
// # Guarantees
//
//   - A run's name is made of its job and its fire time, and creating the Job is the
//     commit. So a lost reply, a crash and two schedulers at once end in one Job. A run
//     that is ended keeps its Job, and with it its name, until Forget.
//   - What somebody commands is an annotation of the Job before it takes effect. So a task
//     that was taken away says who wanted it, whichever scheduler reports it.
//   - The state of a task follows its container. A pod that had to go is never judged by
//     its exit code: a command, the deadline or the pod's condition DisruptionTarget says
//     why it went, and "somebody else" is said only after the Job was read again.
//   - What a task ended as never changes.
//   - A shard of a DAEMON job has one process at most, also when a node is silent: the number of
//     its pod is the shard's. Each start of a pod's container is a task of one run, which lasts
//     until the job is disabled or deleted.
//   - With the store of package crdstore, a run belongs to its ElasticJob and is deleted with
//     it; its tasks then count as killed, and not as lost.
//   - An archive is fetched by an init container with the program's rights. One that was refused
//     fails its shard at once, with the cause that the container has left.
//   - A pod is restricted: no root, no token, no capability, the closed list of
//     cloud.PodSettings. A document cannot ask for more.
//
// # Several namespaces
//
// [Engines] joins an [Engine] per namespace; package crdstore has one store for all, since the
// oldest object has a name over all of them. Both share their clients, and with them the budget
// of requests.
//
//	Job.Namespace ──▶ where Launch, Daemon and Create go; "" is the first
//	RunStatus.Ref ──▶ where End, Resume, Forget and Explain go; a bare name is looked for
//	a namespace that is refused ──▶ cloud.EventUnread, with what was known of it last
//	      and that ends or begins ──▶ the watch ends, and its caller begins anew
//
// What cannot be read is never taken for what does not exist: the scheduler ends and begins
// nothing there. Where the API server does not answer at all, a watch ends as that of a single
// namespace does. All namespaces of a cluster by one list each (a ClusterRole) is left out: a
// namespace whose rights are taken away would look like an empty one.
//
// Only this package, crdstore below it, kubetest and programs import k8s.io; typed clients
// of five API groups are linked, and the dynamic one for our resources, not all of client-go.
package kube
