package kube

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authentication/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
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
	Fires, Jobs func(namespace string) *Jobs
	Pods        func(namespace string) *Pods
	Events      func(namespace string) *Events
	// Sets are StatefulSets, the processes of DAEMON jobs.
	Sets func(namespace string) *Sets
	// Reviews are only for [Engine.Reporter].
	Reviews *Reviews
	// Leases are only for [NewLeadership].
	Leases func(namespace string) *Leases
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
	batch, core, apps := batchv1.SchemeGroupVersion, corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion
	c := Clients{
		Fires:     clientOf(fires, batch, "jobs", newOf[batchv1.Job], newOf[batchv1.JobList]),
		Jobs:      clientOf(others, batch, "jobs", newOf[batchv1.Job], newOf[batchv1.JobList]),
		Pods:      clientOf(others, core, "pods", newOf[corev1.Pod], newOf[corev1.PodList]),
		Events:    clientOf(others, core, "events", newOf[corev1.Event], newOf[corev1.EventList]),
		Sets:      clientOf(others, apps, "statefulsets", newOf[appsv1.StatefulSet], newOf[appsv1.StatefulSetList]),
		Reviews:   clientOf[*authv1.TokenReview, runtime.Object](others, authv1.SchemeGroupVersion, "tokenreviews", newOf[authv1.TokenReview], nil)(""),
		Leases:    clientOf(leading, coordinationv1.SchemeGroupVersion, "leases", newOf[coordinationv1.Lease], newOf[coordinationv1.LeaseList]),
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

// group returns a client for one group of the API, and stores an error in the connection.
func (c *connection) group(group schema.GroupVersion) rest.Interface {
	cfg := rest.CopyConfig(c.cfg)
	cfg.GroupVersion, cfg.NegotiatedSerializer, cfg.APIPath = &group, codecs.WithoutConversion(), "/apis"
	if group.Group == "" {
		cfg.APIPath = "/api"
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	client, err := rest.RESTClientForConfigAndClient(cfg, c.transport)
	if err != nil {
		c.err = err
	}
	return client
}

// clientOf returns clients of one kind of object, by namespace.
func clientOf[T object, L runtime.Object](
	c *connection, group schema.GroupVersion, resource string, one func() T, list func() L,
) func(namespace string) *Objects[T, L] {
	client := c.group(group)
	return func(namespace string) *Objects[T, L] {
		return &Objects[T, L]{client: client, resource: resource, namespace: namespace, one: one, list: list}
	}
}

type object interface {
	runtime.Object
	metav1.Object
}

func newOf[T any]() *T { return new(T) }

// Objects is a client of one kind of object in one namespace. It's safe for concurrent use, and
// returns the API server's errors unchanged. It makes the same requests as client-go's client,
// which links the types of every API group: 16 MB of the console.
type Objects[T object, L runtime.Object] struct {
	client              rest.Interface
	resource, namespace string
	one                 func() T
	list                func() L
}

// Get reads an object.
func (o *Objects[T, L]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Get()).Name(name).VersionedParams(&opts, parameterCodec).Do(ctx).Into(result)
}

// List reads the selected objects.
func (o *Objects[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	result := o.list()
	return result, o.on(o.client.Get()).VersionedParams(&opts, parameterCodec).Timeout(serverTimeout(opts)).Do(ctx).Into(result)
}

// Watch follows the selected objects.
func (o *Objects[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return o.on(o.client.Get()).VersionedParams(&opts, parameterCodec).Timeout(serverTimeout(opts)).Watch(ctx)
}

// serverTimeout is the server's time limit; 0 for none.
func serverTimeout(opts metav1.ListOptions) time.Duration {
	if opts.TimeoutSeconds == nil {
		return 0
	}
	return time.Duration(*opts.TimeoutSeconds) * time.Second
}

// Create creates an object and returns it as stored.
func (o *Objects[T, L]) Create(ctx context.Context, object T, opts metav1.CreateOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Post()).VersionedParams(&opts, parameterCodec).Body(object).Do(ctx).Into(result)
}

// Update replaces an object if it still has the given version.
func (o *Objects[T, L]) Update(ctx context.Context, name string, object T, opts metav1.UpdateOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Put()).Name(name).VersionedParams(&opts, parameterCodec).Body(object).Do(ctx).Into(result)
}

// Patch changes an object.
func (o *Objects[T, L]) Patch(ctx context.Context, name string, kind types.PatchType, patch []byte, opts metav1.PatchOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Patch(kind)).Name(name).VersionedParams(&opts, parameterCodec).Body(patch).Do(ctx).Into(result)
}

// Delete deletes an object.
func (o *Objects[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return o.on(o.client.Delete()).Name(name).Body(&opts).Do(ctx).Error()
}

// read requests a part of an object that isn't an object itself, such as its log.
func (o *Objects[T, L]) read(name, part string, opts runtime.Object) *rest.Request {
	return o.on(o.client.Get()).Name(name).SubResource(part).VersionedParams(opts, parameterCodec)
}

func (o *Objects[T, L]) on(r *rest.Request) *rest.Request {
	return r.NamespaceIfScoped(o.namespace, o.namespace != "").Resource(o.resource)
}

// scheme has the types that are sent and read.
var (
	scheme         = newScheme()
	codecs         = serializer.NewCodecFactory(scheme)
	parameterCodec = runtime.NewParameterCodec(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	for _, add := range []func(*runtime.Scheme) error{
		batchv1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, authv1.AddToScheme, coordinationv1.AddToScheme,
	} {
		utilruntime.Must(add(s))
	}
	return s
}

// namespaceFile has a pod's namespace, as documented by Kubernetes.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// LoadConfig returns the API server of a kubeconfig file or, without one, of the cluster in which
// this process is a pod. namespace is from the file or the pod, by default "default". agent is our
// name in the server's logs.
func LoadConfig(kubeconfig, agent string) (cfg *rest.Config, namespace string, err error) {
	if kubeconfig == "" {
		if cfg, err = rest.InClusterConfig(); err != nil {
			return nil, "", fmt.Errorf("this process is not in a cluster: %w", err)
		}
		text, err := os.ReadFile(namespaceFile)
		if err != nil {
			return nil, "", fmt.Errorf("the namespace of this pod: %w", err)
		}
		cfg.UserAgent = agent
		return cfg, strings.TrimSpace(string(text)), nil
	}
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}, nil)
	if cfg, err = loaded.ClientConfig(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig: %w", err)
	}
	if namespace, _, err = loaded.Namespace(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig: %w", err)
	}
	cfg.UserAgent = agent
	return cfg, namespace, nil
}

// LogTo sends client-go's own log messages to log instead of standard error, for the whole process.
func LogTo(log *slog.Logger) { klog.SetSlogLogger(log) }
