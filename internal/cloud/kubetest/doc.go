// Package kubetest starts a real Kubernetes control plane for tests, on this machine and without root:
// etcd, API server, controller manager, scheduler, and nodes simulated by kwok. With kubectl and helm
// it shows that deploy/ can be installed. `make cloud-test` runs the tests that need it. [StartReal]
// has a real node instead: kubelet, containerd and runc run pods as processes with limits, which needs
// root. `make cloud-real` runs the same tests as far as they depend on pods, and the
// tests named TestReal….
//
//	programs/go.mod ──go build──▶ cache, by version ──▶ Start, StartReal: Cluster
//	                                                        │
//	   a namespace per test ◀── Namespace ──────────────────┤
//	   what its pods do ◀── variable PLAY, or EndPod ───────┘
//
// The programs are built from a separate module with its own checksums, and cached in the user's
// cache folder; KUBETEST_BIN names a folder with existing ones. Everything listens on free ports of
// 127.0.0.1, and ends with the test.
//
// A pod runs until [Cluster.EndPod], unless the variable PLAY of its container has another play,
// see [PlayWell]; PLAY_1 is only for the pod of index 1. Real pods run the program in folder play,
// which uses the same variables.
package kubetest
