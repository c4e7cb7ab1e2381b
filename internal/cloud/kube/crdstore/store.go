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
	// Namespace is that of the jobs and applications. Required. Namespaces are all that have
	// some, if there are others; jobs that name none are made in Namespace.
	Namespace  string
	Namespaces []string
	// Install is the command that errors name if the resources are not installed. Defaults
	// to one for a copy of the sources.
	Install string
	// Logger is [slog.Default] if nil.
	Logger *slog.Logger
}

// Store is a [cloud.Store] in namespaces of Kubernetes. Its methods may be called at the
// same time. Make one with New and end it with Close.
type Store struct {
	cfg    Config
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	// namespaces are all of them, [Config.Namespace] first.
	namespaces []string
	current    atomic.Int32 // watches that have reported the present

	mu    sync.Mutex
	known map[cloud.Kind]map[string]*object // by name, the newest that was seen
}

var _ cloud.Store = (*Store)(nil)

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

// New returns the store of namespaces. It does not ask whether there is a server.
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
	namespaces := []string{cfg.Namespace}
	for _, namespace := range cfg.Namespaces {
		if !slices.Contains(namespaces, namespace) {
			namespaces = append(namespaces, namespace)
		}
	}
	return &Store{cfg: cfg, ctx: ctx, cancel: cancel, namespaces: namespaces, known: map[cloud.Kind]map[string]*object{cloud.KindApp: {}, cloud.KindJob: {}}}, nil
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

func (s *Store) client(r resource, namespace string) dynamic.ResourceInterface {
	return s.cfg.Clients.Resources.Resource(schema.GroupVersionResource{Group: kube.Group, Version: kube.Version, Resource: r.plural}).Namespace(namespace)
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
		last(a.object != cloud.Slug(a.name))-last(b.object != cloud.Slug(b.name)), cmp.Compare(a.object, b.object), cmp.Compare(a.namespace, b.namespace),
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
