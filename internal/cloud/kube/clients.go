package kube

import (
	"fmt"

	"k8s.io/client-go/dynamic"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	reviewclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	leaseclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// The budgets towards the API server: requests per second, and at once. Bookkeeping must
// never delay a launch.
const (
	fireRate, fireBurst = 200, 400
	restRate, restBurst = 50, 100
)

// Core is what the engine uses of the API's core group.
type Core interface {
	coreclient.PodsGetter
	coreclient.EventsGetter
}

// Clients are the parts of the API that are used; no more of client-go is linked.
type Clients struct {
	// Fires creates Jobs, Jobs does everything else with them. They may be the same.
	Fires, Jobs batchclient.JobsGetter
	Core        Core
	// Sets are StatefulSets: the processes of DAEMON jobs.
	Sets appsclient.StatefulSetsGetter
	// Reviews are for [Engine.Reporter] alone.
	Reviews reviewclient.TokenReviewsGetter
	// Leases are for [NewLeadership]; the engine does without.
	Leases leaseclient.LeasesGetter
	// Resources are for package crdstore; the engine does without.
	Resources dynamic.Interface
}

// Connect makes clients. It does not ask whether there is a server.
func Connect(cfg *rest.Config) (Clients, error) {
	fires, others, leading := rest.CopyConfig(cfg), rest.CopyConfig(cfg), rest.CopyConfig(cfg)
	fires.QPS, fires.Burst = fireRate, fireBurst
	others.QPS, others.Burst = restRate, restBurst
	leading.QPS, leading.Burst = restRate, restBurst
	for _, c := range []*rest.Config{fires, others, leading} {
		c.ContentType, c.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf,application/json"
	}
	first, err := batchclient.NewForConfig(fires)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	// They share a limit.
	client, err := rest.HTTPClientFor(others)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	others.RateLimiter = limiter(others)
	jobs, err := batchclient.NewForConfigAndClient(others, client)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	core, err := coreclient.NewForConfigAndClient(others, client)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	sets, err := appsclient.NewForConfigAndClient(others, client)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	reviews, err := reviewclient.NewForConfigAndClient(others, client)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	resources, err := dynamic.NewForConfigAndClient(others, client)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	// A renewal waits for no launch and for no list.
	leases, err := leaseclient.NewForConfig(leading)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	return Clients{Fires: first, Jobs: jobs, Core: core, Sets: sets, Reviews: reviews, Leases: leases, Resources: resources}, nil
}
