package zkstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/wake"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

const (
	// maxTries is how often a change is repeated after concurrent changes.
	maxTries = 100
	// maxPause is the longest pause between two tries.
	maxPause = 50 * time.Millisecond
)

// Store is a [cloud.Store] in a namespace of ZooKeeper. It's safe for concurrent use. Create it
// with New and end it with Close.
type Store struct {
	client *zk.Client
	tree   jobtree.Cloud

	cache      *recipe.Cache
	cancel     func()                         // ends the subscription
	refreshing chan struct{}                  // holds one token for reading
	watched    map[cloud.Kind]map[string]bool // with the token of refreshing

	mu      sync.Mutex
	wakeups map[chan struct{}]struct{}
}

var _ cloud.Store = (*Store)(nil)

// Namespace is where upstream's scheduler keeps its tree, and so does ours.
const Namespace = "elasticjob-cloud"

// New returns the store of a namespace. Nothing else may watch nodes below it with the same client.
// The caller closes the client after the store.
func New(client *zk.Client, namespace jobtree.Namespace) *Store {
	s := &Store{
		client: client, tree: jobtree.NewCloud(namespace),
		refreshing: make(chan struct{}, 1), wakeups: make(map[chan struct{}]struct{}),
		watched: map[cloud.Kind]map[string]bool{cloud.KindApp: {}, cloud.KindJob: {}},
	}
	s.refreshing <- struct{}{}
	s.cache = recipe.NewCache(client, s.tree.Root(), s.wake)
	for _, folder := range []string{s.tree.Apps(), s.tree.Jobs(), s.tree.DisabledApps(), s.tree.DisabledJobs()} {
		s.cache.WatchChildren(folder)
	}
	s.cancel = client.Subscribe(func(tr zk.Transition) {
		switch {
		case tr.NewEpoch:
			s.cache.Invalidate()
		case tr.State == zk.Connected:
			s.cache.Suspect()
		}
		s.wake()
	})
	return s
}

// Close stops listening. Watches must have ended.
func (s *Store) Close() {
	s.cancel()
	s.cache.Close()
}

func (s *Store) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.wakeups {
		wake.Up(c)
	}
}

type paths struct{ doc, ext, status, disabled, switches string }

func (s *Store) paths(kind cloud.Kind, name string) paths {
	if kind == cloud.KindApp {
		return paths{doc: s.tree.App(name), ext: s.tree.AppExtension(name), disabled: s.tree.DisabledApp(name), switches: s.tree.DisabledApps()}
	}
	return paths{
		doc: s.tree.Job(name), ext: s.tree.JobExtension(name), status: s.tree.Status(name), disabled: s.tree.DisabledJob(name), switches: s.tree.DisabledJobs(),
	}
}

// documents returns the paths of the nodes with documents.
func (p paths) documents() []string {
	if p.status == "" {
		return []string{p.doc, p.ext}
	}
	return []string{p.doc, p.ext, p.status}
}

// part is a node of a record; the path is empty if there is no such node for its kind.
type part struct {
	path string
	node *node
}

func (r *record) parts(at paths) []part {
	return []part{{at.doc, &r.doc}, {at.ext, &r.ext}, {at.status, &r.status}, {at.disabled, &r.disabled}}
}

func checkName(kind cloud.Kind, name string) error {
	if kind != cloud.KindApp && kind != cloud.KindJob {
		return fmt.Errorf("kind %q is neither %s nor %s: %w", kind, cloud.KindApp, cloud.KindJob, cloud.ErrRefused)
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return fmt.Errorf("name of %s: %w: %w", kind, err, cloud.ErrRefused)
	}
	return nil
}

// read reads everything about one job or application, including the latest writes.
func (s *Store) read(ctx context.Context, kind cloud.Kind, name string) (*record, error) {
	if err := s.client.Sync(ctx, s.tree.Root()); err != nil && !errors.Is(err, zk.ErrNoNode) {
		return nil, err
	}
	r := &record{kind: kind, name: name}
	at := s.paths(kind, name)
	// Read first, so it's never newer than the rest.
	switches, _, err := s.client.Exists(ctx, at.switches)
	if err != nil {
		return nil, err
	}
	r.switches = switches.Pzxid
	group, ctx := rethrow.WithContext(ctx)
	for _, part := range append(r.parts(at), part{s.tree.Extension(), &r.anchor}) {
		if part.path == "" {
			continue
		}
		group.Go(func() (err error) {
			*part.node, err = nodeAt(ctx, s.client, part.path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return r, nil
}

// readWritten reads a record after a write.
func (s *Store) readWritten(ctx context.Context, kind cloud.Kind, name string) (*record, error) {
	r, err := s.read(ctx, kind, name)
	if err == nil && !r.doc.exists {
		err = cloud.ErrNotFound
	}
	return r, err
}

// again repeats attempt while concurrent changes interfere.
func (s *Store) again(ctx context.Context, what string, attempt func() error) error {
	for range maxTries {
		err := attempt()
		switch {
		case errors.Is(err, zk.ErrNoNode): // A parent is missing, or a node that was read.
			if err := s.makeFolders(ctx); err != nil {
				return fail(what, err)
			}
		case !errors.Is(err, zk.ErrBadVersion) && !errors.Is(err, zk.ErrNodeExists):
			return fail(what, err)
		}
		if err := sleep.For(ctx, rand.N(maxPause)); err != nil {
			return fail(what, err)
		}
	}
	return fail(what, fmt.Errorf("%w, %d times in a row", cloud.ErrConflict, maxTries))
}

func (s *Store) makeFolders(ctx context.Context) error {
	for _, folder := range s.tree.Folders() {
		if _, err := s.client.CreateAll(ctx, folder, nil, zk.Persistent); err != nil && !errors.Is(err, zk.ErrNodeExists) {
			return err
		}
	}
	return nil
}

// fail wraps an error with an error of package cloud.
func fail(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, zk.ErrNoAuth):
		return fmt.Errorf("%s: %w: %w", what, err, cloud.ErrForbidden)
	case errors.Is(err, zk.ErrInvalid):
		return fmt.Errorf("%s: %w: make the documents smaller: %w", what, err, cloud.ErrRefused)
	}
	return fmt.Errorf("%s: %w", what, err)
}
