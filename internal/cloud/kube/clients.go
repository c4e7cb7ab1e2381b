package kube

import (
	"fmt"
	"net/http"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authentication/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Limits for requests to the API server: per second, and at once. Launches have their own, so
// bookkeeping never delays them.
const (
	fireRate, fireBurst = 200, 400
	restRate, restBurst = 50, 100
)

type (
	Jobs   = Objects[*batchv1.Job, *batchv1.JobList]
	Pods   = Objects[*corev1.Pod, *corev1.PodList]
	Events = Objects[*corev1.Event, *corev1.EventList]
	Sets   = Objects[*appsv1.StatefulSet, *appsv1.StatefulSetList]
	Leases = Objects[*coordinationv1.Lease, *coordinationv1.LeaseList]
	// Reviews are created but not stored, so there is no list.
	Reviews = Objects[*authv1.TokenReview, runtime.Object]
)

// Clients are the parts of the API in use, so that only these parts of client-go are linked.
type Clients struct {
	// Fires creates Jobs, and Jobs does everything else with them. They may be the same.
	Fires, Jobs *Jobs
	Pods        *Pods
	Events      *Events
	// Sets are StatefulSets, the processes of DAEMON jobs.
	Sets *Sets
	// Reviews are only for [Engine.Reporter].
	Reviews *Reviews
	// Leases are only for [NewLeadership].
	Leases *Leases
	// Resources are only for package crdstore.
	Resources dynamic.Interface
}

// Connect makes clients. It doesn't contact the server.
func Connect(cfg *rest.Config) (Clients, error) {
	fires, err := newConnection(cfg, fireRate, fireBurst)
	if err != nil {
		return Clients{}, err
	}
	others, err := newConnection(cfg, restRate, restBurst)
	if err != nil {
		return Clients{}, err
	}
	// Renewals have their own connection, so they never wait for launches and lists.
	leading, err := newConnection(cfg, restRate, restBurst)
	if err != nil {
		return Clients{}, err
	}
	resources, err := dynamic.NewForConfigAndClient(others.cfg, others.transport)
	if err != nil {
		return Clients{}, fmt.Errorf("kubernetes engine: %w", err)
	}
	c := Clients{
		Fires:     newObjects(fires, batchv1.SchemeGroupVersion, "jobs", newOf[batchv1.Job], newOf[batchv1.JobList]),
		Jobs:      newObjects(others, batchv1.SchemeGroupVersion, "jobs", newOf[batchv1.Job], newOf[batchv1.JobList]),
		Pods:      newObjects(others, corev1.SchemeGroupVersion, "pods", newOf[corev1.Pod], newOf[corev1.PodList]),
		Events:    newObjects(others, corev1.SchemeGroupVersion, "events", newOf[corev1.Event], newOf[corev1.EventList]),
		Sets:      newObjects(others, appsv1.SchemeGroupVersion, "statefulsets", newOf[appsv1.StatefulSet], newOf[appsv1.StatefulSetList]),
		Reviews:   newObjects[*authv1.TokenReview, runtime.Object](others, authv1.SchemeGroupVersion, "tokenreviews", newOf[authv1.TokenReview], nil),
		Leases:    newObjects(leading, coordinationv1.SchemeGroupVersion, "leases", newOf[coordinationv1.Lease], newOf[coordinationv1.LeaseList]),
		Resources: resources,
	}
	for _, made := range []*connection{fires, others, leading} {
		if made.err != nil {
			return Clients{}, fmt.Errorf("kubernetes engine: %w", made.err)
		}
	}
	return c, nil
}

// connection is a connection to the API server. Its clients share a limit.
type connection struct {
	cfg       *rest.Config
	transport *http.Client
	err       error // why a client could not be made
}

func newConnection(from *rest.Config, rate float32, burst int) (*connection, error) {
	cfg := rest.CopyConfig(from)
	cfg.QPS, cfg.Burst = rate, burst
	cfg.ContentType, cfg.AcceptContentTypes = "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf,application/json"
	transport, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("kubernetes engine: %w", err)
	}
	cfg.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(rate, burst)
	return &connection{cfg: cfg, transport: transport}, nil
}

// newObjects returns a client on a connection, and stores an error there.
func newObjects[T, L runtime.Object](c *connection, group schema.GroupVersion, resource string, one func() T, list func() L) *Objects[T, L] {
	client, err := clientOf(c.cfg, c.transport, group)
	if err != nil {
		c.err = err
	}
	return &Objects[T, L]{client: client, resource: resource, one: one, list: list}
}

func newOf[T any]() *T { return new(T) }
