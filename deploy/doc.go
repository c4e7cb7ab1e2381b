// Package deploy prints what an administrator installs on a cluster before a console schedules
// there: the custom resources, the policies, and the rights of the scheduler.
//
//	crds/ ─────────────────────────────┐
//	kustomize/policy/ ── its labels ───┼──▶ one stream of YAML, for kubectl apply -f -
//	kustomize/base/ ── its labels, ────┘
//	                   the namespace
//
// # Guarantees
//
//   - The files are those that kustomize reads: nothing stands twice. What its transformers do
//     to these objects is done here: a test compares both.
//   - Custom resources are printed as they lie there. An object that belongs to the whole
//     cluster gets no namespace.
//   - A policy comes before the rights that it bounds.
package deploy
