package kube

import (
	"context"
	"net/http"
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
	"k8s.io/client-go/rest"
)

// Objects is a client of one kind of object in one namespace. It's safe for concurrent use, and
// returns the API server's errors unchanged. It makes the same requests as client-go's client,
// which links the types of every API group: 16 MB of the console.
type Objects[T, L runtime.Object] struct {
	client              rest.Interface
	resource, namespace string
	one                 func() T
	list                func() L
}

// In returns the client for a namespace.
func (o *Objects[T, L]) In(namespace string) *Objects[T, L] {
	in := *o
	in.namespace = namespace
	return &in
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
	for _, add := range []func(*runtime.Scheme) error{batchv1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, authv1.AddToScheme, coordinationv1.AddToScheme} {
		utilruntime.Must(add(s))
	}
	return s
}

// clientOf returns a client for one group of the API.
func clientOf(cfg *rest.Config, transport *http.Client, group schema.GroupVersion) (*rest.RESTClient, error) {
	c := rest.CopyConfig(cfg)
	c.GroupVersion, c.NegotiatedSerializer, c.APIPath = &group, codecs.WithoutConversion(), "/apis"
	if group.Group == "" {
		c.APIPath = "/api"
	}
	if c.UserAgent == "" {
		c.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	return rest.RESTClientForConfigAndClient(c, transport)
}
