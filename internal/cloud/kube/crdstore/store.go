package crdstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

const manager = "elasticjob-cloud"

// defaultInstall is the command that installs the resources from the sources.
const defaultInstall = "kubectl apply -f deploy/crds"

type Config struct {
	// Clients come from [kube.Connect]; only Resources is used. Required.
	Clients kube.Clients
	// Namespace has the jobs and applications. Required. Namespaces lists all namespaces if there
	// are others. Jobs without a namespace are created in Namespace.
	Namespace  string
	Namespaces []string
	// Install is the command in errors if the resources aren't installed. Defaults to a command for
	// the sources.
	Install string
	Logger  *slog.Logger
}

// Store is a [cloud.Store] in namespaces of Kubernetes. It's safe for concurrent use. Create it
// with New and end it with Close.
type Store struct {
	cfg    Config
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	// namespaces has [Config.Namespace] first.
	namespaces []string
	current    atomic.Int32 // watches that have reported everything

	mu    sync.Mutex
	known map[cloud.Kind]map[string]*object // by name, the newest seen
}

var _ cloud.Store = (*Store)(nil)

var ErrClosed = errors.New("the store was closed")

// NotInstalledError means that the cluster doesn't know the resources. It is a [cloud.ErrRefused],
// because they must be installed first.
type NotInstalledError struct {
	Resource string // such as elasticjobs.cloud.elasticjob.dev
	Command  string // that installs them
}

func (e *NotInstalledError) Error() string {
	return fmt.Sprintf("the cluster does not know %s; an administrator installs the resources of ElasticJob-Cloud with `%s`", e.Resource, e.Command)
}

func (e *NotInstalledError) Unwrap() error { return cloud.ErrRefused }

// New returns the store of namespaces. It doesn't contact the server.
func New(cfg Config) (*Store, error) {
	switch {
	case cfg.Clients.Resources == nil:
		return nil, errors.New("crdstore: Clients are missing; make them with kube.Connect")
	case cfg.Namespace == "":
		return nil, errors.New("crdstore: Namespace is empty, want that of the jobs")
	}
	cfg.Install, cfg.Logger = cmp.Or(cfg.Install, defaultInstall), cmp.Or(cfg.Logger, slog.Default())
	ctx, cancel := context.WithCancel(context.Background())
	namespaces := []string{cfg.Namespace}
	for _, namespace := range cfg.Namespaces {
		if !slices.Contains(namespaces, namespace) {
			namespaces = append(namespaces, namespace)
		}
	}
	return &Store{cfg: cfg, ctx: ctx, cancel: cancel, namespaces: namespaces, known: map[cloud.Kind]map[string]*object{cloud.KindApp: {}, cloud.KindJob: {}}}, nil
}

// Close ends all watches without waiting for them.
func (s *Store) Close() error {
	s.cancel()
	return nil
}

type resource struct {
	kind   cloud.Kind
	plural string
	object string // its kind in Kubernetes
	field  string // of spec, with the name
}

var resources = map[cloud.Kind]resource{
	cloud.KindApp: {cloud.KindApp, "elasticjobapps", "ElasticJobApp", "appName"},
	cloud.KindJob: {cloud.KindJob, "elasticjobs", kube.OwnerKind, "jobName"},
}

func resourceOf(kind cloud.Kind) (resource, error) {
	r, known := resources[kind]
	if !known {
		return r, fmt.Errorf("kind %q is neither %s nor %s: %w", kind, cloud.KindApp, cloud.KindJob, cloud.ErrRefused)
	}
	return r, nil
}

func (s *Store) client(r resource, namespace string) dynamic.ResourceInterface {
	return s.cfg.Clients.Resources.Resource(schema.GroupVersionResource{Group: kube.Group, Version: kube.Version, Resource: r.plural}).Namespace(namespace)
}

// fail adds the failed operation, and wraps an error of package cloud.
func (s *Store) fail(what string, r resource, err error) error {
	if missing(err) {
		return fmt.Errorf("%s: %w", what, &NotInstalledError{Resource: r.plural + "." + kube.Group, Command: s.cfg.Install})
	}
	return kube.Translate(what, err)
}

// missing reports whether the server doesn't know the address itself. It has another error for an
// object that doesn't exist.
func missing(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// compareAge sorts the owner of a name first. The server's clock has whole seconds; of two created
// in the same second, the one with the object name of this package counts as older.
func compareAge(a, b *object) int {
	last := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(
		last(a.nameless)-last(b.nameless), a.created.Compare(b.created),
		last(a.object != cloud.Slug(a.name))-last(b.object != cloud.Slug(b.name)), cmp.Compare(a.object, b.object), cmp.Compare(a.namespace, b.namespace),
	)
}

// remembered returns the last seen object of a name, or nil. It may be old.
func (s *Store) remembered(kind cloud.Kind, name string) *object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[kind][name]
}

func (s *Store) remember(o *object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.known[o.kind][o.name]; old == nil || old.revision <= o.revision {
		s.known[o.kind][o.name] = o
	}
}

// forget forgets a deleted object, but not another one with its name.
func (s *Store) forget(kind cloud.Kind, name, uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.known[kind][name]; old != nil && old.uid == uid {
		delete(s.known[kind], name)
	}
}

func (s *Store) several() bool { return len(s.namespaces) > 1 }

// find reads the current object of a name, or nil. With several namespaces it looks where the watch
// has seen the name, and then in the wanted one; without a watch it looks in all.
func (s *Store) find(ctx context.Context, what string, r resource, name, wanted string) (*object, error) {
	if s.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", what, ErrClosed)
	}
	var forbidden error
	for _, places := range s.places(r.kind, name, wanted) {
		var found []*object
		for _, namespace := range places {
			some, err := s.named(ctx, what, r, namespace, name)
			switch {
			case err != nil && s.several() && errors.Is(err, cloud.ErrForbidden):
				forbidden = err // Another namespace may have it.
			case err != nil:
				return nil, err
			}
			found = append(found, some...)
		}
		if len(found) > 0 {
			return slices.MinFunc(found, compareAge), nil
		}
	}
	return nil, forbidden
}

// places returns the namespaces to look for a name in, in groups.
func (s *Store) places(kind cloud.Kind, name, wanted string) (groups [][]string) {
	if !s.several() || s.current.Load() == 0 {
		return [][]string{s.namespaces}
	}
	if o := s.remembered(kind, name); o != nil {
		groups = append(groups, []string{o.namespace})
	}
	if wanted == "" {
		wanted = s.namespaces[0]
	}
	if len(groups) == 0 || groups[0][0] != wanted {
		groups = append(groups, []string{wanted})
	}
	return groups
}

// named returns the objects of a namespace with a name.
func (s *Store) named(ctx context.Context, what string, r resource, namespace, name string) (found []*object, err error) {
	list, err := s.client(r, namespace).List(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec."+r.field, name).String()})
	if err != nil {
		return nil, s.fail(what, r, err)
	}
	for i := range list.Items {
		if o := s.newObject(r.kind, namespace, &list.Items[i]); !o.deleting && o.name == name && !o.nameless {
			found = append(found, o)
		}
	}
	return found, nil
}

// owners returns the objects of one namespace.
type owners struct {
	*Store
	namespace string
}

// In returns the objects of a namespace for its engine.
func (s *Store) In(namespace string) kube.Owners { return owners{s, namespace} }

// ObjectName implements [kube.Owners] with the reports of a watch.
func (s owners) ObjectName(job, uid string) (name string, known bool) {
	o := s.remembered(cloud.KindJob, job)
	if o == nil || o.uid != uid || o.namespace != s.namespace {
		return "", false
	}
	return o.object, true
}

func (s owners) Exists(ctx context.Context, object, uid string) (bool, error) {
	r := resources[cloud.KindJob]
	u, err := s.client(r, s.namespace).Get(ctx, object, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil // Without the resource there is no object either.
	case err != nil:
		return false, s.fail("read ElasticJob "+object, r, err)
	}
	return string(u.GetUID()) == uid && u.GetDeletionTimestamp() == nil, nil
}
