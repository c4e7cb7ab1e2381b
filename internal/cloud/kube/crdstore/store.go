package crdstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// manager is who wrote a field, to the API server.
const manager = "elasticjob-cloud"

// defaultInstall is the command that installs the resources from a copy of the sources.
const defaultInstall = "kubectl apply -f deploy/crds"

// Config says where a store is.
type Config struct {
	// Clients are those of [kube.Connect]; Resources of them is used. Required.
	Clients kube.Clients
	// Namespace is that of the jobs and applications. Required.
	Namespace string
	// Install is the command that errors name if the resources are not installed. Defaults
	// to one for a copy of the sources.
	Install string
	// Logger is [slog.Default] if nil.
	Logger *slog.Logger
}

// Store is a [cloud.Store] in a namespace of Kubernetes. Its methods may be called at the
// same time. Make one with New and end it with Close.
type Store struct {
	cfg    Config
	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	mu    sync.Mutex
	known map[cloud.Kind]map[string]*object // by name, the newest that was seen
}

var (
	_ cloud.Store = (*Store)(nil)
	_ kube.Owners = (*Store)(nil)
)

// ErrClosed is what a store answers after Close.
var ErrClosed = errors.New("the store was closed")

// NotInstalledError says that the cluster does not know the resources. It is a
// [cloud.ErrRefused]: asking again is useless until somebody installs them.
type NotInstalledError struct {
	Resource string // such as elasticjobs.cloud.elasticjob.dev
	Command  string // that installs them
}

// Error names the command.
func (e *NotInstalledError) Error() string {
	return fmt.Sprintf("the cluster does not know %s; an administrator installs the resources of ElasticJob-Cloud with `%s`", e.Resource, e.Command)
}

// Unwrap returns [cloud.ErrRefused].
func (e *NotInstalledError) Unwrap() error { return cloud.ErrRefused }

// New returns the store of a namespace. It does not ask whether there is a server.
func New(cfg Config) (*Store, error) {
	switch {
	case cfg.Clients.Resources == nil:
		return nil, errors.New("crdstore: Clients are missing; make them with kube.Connect")
	case cfg.Namespace == "":
		return nil, errors.New("crdstore: Namespace is empty, want that of the jobs")
	}
	cfg.Install = cmp.Or(cfg.Install, defaultInstall)
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Store{cfg: cfg, ctx: ctx, cancel: cancel, known: map[cloud.Kind]map[string]*object{cloud.KindApp: {}, cloud.KindJob: {}}}, nil
}

// Close ends all watches; it does not wait for them.
func (s *Store) Close() error {
	s.cancel()
	return nil
}

// resource is one of the two.
type resource struct {
	kind   cloud.Kind
	plural string
	object string // its kind, to Kubernetes
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

func (s *Store) client(r resource) dynamic.ResourceInterface {
	return s.cfg.Clients.Resources.Resource(schema.GroupVersionResource{Group: kube.Group, Version: kube.Version, Resource: r.plural}).Namespace(s.cfg.Namespace)
}

// fail says what was wanted, and why it failed, in the words of package cloud.
func (s *Store) fail(what string, r resource, err error) error {
	if missing(err) {
		return fmt.Errorf("%s: %w", what, &NotInstalledError{Resource: r.plural + "." + kube.Group, Command: s.cfg.Install})
	}
	return kube.Translate(what, err)
}

// missing reports whether the server does not know the address itself: of an object that
// does not exist it says so in words of its own.
func missing(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// find reads the object of a name, as new as it is; nil if there is none.
func (s *Store) find(ctx context.Context, what string, r resource, name string) (*object, error) {
	if s.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", what, ErrClosed)
	}
	list, err := s.client(r).List(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec."+r.field, name).String()})
	if err != nil {
		return nil, s.fail(what, r, err)
	}
	var found []*object
	for i := range list.Items {
		if o := newObject(r.kind, &list.Items[i]); !o.deleting && o.name == name && !o.nameless {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return slices.MinFunc(found, compareAge), nil
}

// compareAge puts first what a name belongs to. The server's clock has whole seconds: of two
// of one second, the one that this package would make is the older.
func compareAge(a, b *object) int {
	last := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(
		last(a.nameless)-last(b.nameless), a.created.Compare(b.created),
		last(a.object != cloud.Slug(a.name))-last(b.object != cloud.Slug(b.name)), cmp.Compare(a.object, b.object),
	)
}

// remembered is what was last seen under a name; nil if nothing was. It may be old.
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

// forget forgets an object that exists no more, and not one that has its name now.
func (s *Store) forget(kind cloud.Kind, name, uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.known[kind][name]; old != nil && old.uid == uid {
		delete(s.known[kind], name)
	}
}

// ObjectName implements [kube.Owners]. It knows what a watch has reported.
func (s *Store) ObjectName(job, uid string) (name string, known bool) {
	o := s.remembered(cloud.KindJob, job)
	if o == nil || o.uid != uid {
		return "", false
	}
	return o.object, true
}

// Exists implements [kube.Owners].
func (s *Store) Exists(ctx context.Context, object, uid string) (bool, error) {
	r := resources[cloud.KindJob]
	u, err := s.client(r).Get(ctx, object, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil // Without the resource, there is no object either.
	case err != nil:
		return false, s.fail("read ElasticJob "+object, r, err)
	}
	return string(u.GetUID()) == uid && u.GetDeletionTimestamp() == nil, nil
}
