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

// Objects is a client of one kind of object, in one namespace. Its methods may be called at
// the same time, and return the errors of the API server as they are. It makes the requests that
// client-go's client of the kind makes. That one links the types of each group of the API:
// 16 MB of the console.
type Objects[T, L runtime.Object] struct {
	client              rest.Interface
	resource, namespace string
	one                 func() T
	list                func() L
}

// In is the client in a namespace.
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

// List reads those that the options select.
func (o *Objects[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	result := o.list()
	return result, o.on(o.client.Get()).VersionedParams(&opts, parameterCodec).Timeout(patience(opts)).Do(ctx).Into(result)
}

// Watch follows those that the options select.
func (o *Objects[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return o.on(o.client.Get()).VersionedParams(&opts, parameterCodec).Timeout(patience(opts)).Watch(ctx)
}

// patience is how long the server is to take at most; 0 for as long as it likes.
func patience(opts metav1.ListOptions) time.Duration {
	if opts.TimeoutSeconds == nil {
		return 0
	}
	return time.Duration(*opts.TimeoutSeconds) * time.Second
}

// Create makes an object, and returns it as it is stored.
func (o *Objects[T, L]) Create(ctx context.Context, object T, opts metav1.CreateOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Post()).VersionedParams(&opts, parameterCodec).Body(object).Do(ctx).Into(result)
}

// Update writes an object of a name over the version that it says.
func (o *Objects[T, L]) Update(ctx context.Context, name string, object T, opts metav1.UpdateOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Put()).Name(name).VersionedParams(&opts, parameterCodec).Body(object).Do(ctx).Into(result)
}

// Patch changes an object.
func (o *Objects[T, L]) Patch(ctx context.Context, name string, kind types.PatchType, patch []byte, opts metav1.PatchOptions) (T, error) {
	result := o.one()
	return result, o.on(o.client.Patch(kind)).Name(name).VersionedParams(&opts, parameterCodec).Body(patch).Do(ctx).Into(result)
}

// Delete removes an object.
func (o *Objects[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return o.on(o.client.Delete()).Name(name).Body(&opts).Do(ctx).Error()
}

// read is a request for a part of an object that is no object itself, as its log.
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

// clientOf makes requests to one group of the API.
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
