// Package kubetest starts a real Kubernetes control plane for tests, on this machine and
// without root: etcd, API server, controller manager, scheduler, and nodes that are played
// by kwok. With kubectl and helm it shows that deploy/ can be installed. `make cloud-test` runs
// the tests that need it. [StartReal] has a real node instead: kubelet, containerd and runc run
// pods as processes with limits, which needs root. `make cloud-real` runs the same tests, as
// far as pods matter to them, and those named TestReal.
//
//	programs/go.mod ──go build──▶ cache, by version ──▶ Start, StartReal: Cluster
//	                                                        │
//	   a namespace per test ◀── Namespace ──────────────────┤
//	   what its pods do ◀── variable PLAY, or EndPod ───────┘
//
// The programs are built from a module of their own, with its own sums, and kept in the
// user's cache folder; KUBETEST_BIN names a folder that has them already. Everything
// listens on 127.0.0.1, on free ports, and ends with the test.
//
// A pod runs until [Cluster.EndPod]. The variable PLAY of its container says
// otherwise, see [PlayWell] and the others; PLAY_1 does so for the pod of index 1 alone. Real
// pods run the program of the folder play, which heeds the same variables.
package kubetest
