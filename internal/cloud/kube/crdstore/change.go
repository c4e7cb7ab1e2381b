package crdstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

const (
	// maxTries is how often a change is repeated after concurrent changes.
	maxTries = 100
	// maxPause is the longest pause between two tries.
	maxPause = 50 * time.Millisecond
)

func (s *Store) Create(ctx context.Context, j cloud.Job) (cloud.Definition, error) {
	o, err := s.create(ctx, cloud.KindJob, j.Namespace, j.Name, j)
	if err != nil {
		return cloud.Definition{}, err
	}
	return o.definition()
}

func (s *Store) CreateApp(ctx context.Context, a cloud.App) (cloud.App, error) {
	o, err := s.create(ctx, cloud.KindApp, a.Namespace, a.Name, a)
	if err != nil {
		return cloud.App{}, err
	}
	return o.app()
}

// create creates an object in a namespace, the first one for "".
func (s *Store) create(ctx context.Context, kind cloud.Kind, namespace, name string, document any) (*object, error) {
	r, what := resources[kind], fmt.Sprintf("create %s %q", kind, name)
	namespace = cmp.Or(namespace, s.namespaces[0])
	if !slices.Contains(s.namespaces, namespace) {
		return nil, fmt.Errorf("%s: namespace %q is not served, only %s: %w", what, namespace, strings.Join(s.namespaces, ", "), cloud.ErrRefused)
	}
	// An object with another name may have the job's name.
	old, err := s.find(ctx, what, r, name, namespace)
	switch {
	case err != nil && !(s.several() && errors.Is(err, cloud.ErrForbidden)): // A forbidden other namespace doesn't matter here.
		return nil, err
	case old != nil && old.namespace != namespace:
		return nil, fmt.Errorf("%s: namespace %s has it: %w", what, old.namespace, cloud.ErrExists)
	case old != nil:
		return nil, fmt.Errorf("%s: %w", what, cloud.ErrExists)
	}
	spec, err := toMap(document)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", what, err, cloud.ErrRefused)
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kube.Group + "/" + kube.Version, "kind": r.object,
		"metadata": map[string]any{"name": cloud.Slug(name)}, "spec": spec,
	}}
	made, err := s.client(r, namespace).Create(ctx, u, metav1.CreateOptions{FieldManager: manager})
	if err != nil {
		if apierrors.IsNotFound(err) && !missing(err) {
			return nil, fmt.Errorf("%s: there is no namespace %s: %w: %w", what, namespace, cloud.ErrRefused, err)
		}
		return nil, s.fail(what, r, err)
	}
	o := s.newObject(kind, namespace, made)
	s.remember(o)
	return o, nil
}

func (s *Store) Change(ctx context.Context, job string, f func(*cloud.Definition) error) (cloud.Definition, error) {
	o, err := s.change(ctx, cloud.KindJob, job, func(o *object) (c change, err error) {
		before, err := o.definition()
		if err != nil {
			return c, fmt.Errorf("change job %q: %w: %w", job, err, cloud.ErrRefused)
		}
		after := before.Clone()
		if err := f(&after); err != nil {
			return c, err
		}
		if after.Job.Name != job {
			return c, fmt.Errorf("the name of job %q cannot become %q: %w", job, after.Job.Name, cloud.ErrRefused)
		}
		if c.spec, err = differences[any](toMap, before.Job, after.Job, o.spec.fields()); err == nil {
			c.status, err = differences(writeStatus, before.Status, after.Status, o.status.fields())
		}
		return c, err
	})
	if err != nil {
		return cloud.Definition{}, err
	}
	return o.definition()
}

func (s *Store) ChangeApp(ctx context.Context, app string, f func(*cloud.App) error) (cloud.App, error) {
	o, err := s.change(ctx, cloud.KindApp, app, func(o *object) (c change, err error) {
		before, err := o.app()
		if err != nil {
			return c, fmt.Errorf("change application %q: %w: %w", app, err, cloud.ErrRefused)
		}
		after := before.Clone()
		if err := f(&after); err != nil {
			return c, err
		}
		if after.Name != app {
			return c, fmt.Errorf("the name of application %q cannot become %q: %w", app, after.Name, cloud.ErrRefused)
		}
		c.spec, err = differences[any](toMap, before, after, o.spec.fields())
		return c, err
	})
	if err != nil {
		return cloud.App{}, err
	}
	return o.app()
}

// differences returns the merge patch between two values in the form of write.
func differences[T any](write func(T) (map[string]any, error), before, after T, stored map[string]any) (map[string]any, error) {
	from, err := write(before)
	if err != nil {
		return nil, err
	}
	to, err := write(after)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	return patchOf(from, to, stored), nil
}

type change struct{ spec, status map[string]any }

func (c change) empty() bool { return len(c.spec) == 0 && len(c.status) == 0 }

// change writes decide's change and returns the new object. It returns decide's errors. decide may first
// get an old object; then the write conflicts, or decide's refusal is checked again with a fresh one.
func (s *Store) change(ctx context.Context, kind cloud.Kind, name string, decide func(*object) (change, error)) (*object, error) {
	r, what := resources[kind], fmt.Sprintf("change %s %q", kind, name)
	o := s.remembered(kind, name)
	for range maxTries {
		fresh := o == nil
		if fresh {
			var err error
			if o, err = s.find(ctx, what, r, name, ""); err != nil {
				return nil, err
			}
			if o == nil {
				return nil, fmt.Errorf("%s: %w", what, cloud.ErrNotFound)
			}
			s.remember(o)
		}
		c, err := decide(o)
		switch {
		case !fresh && (err != nil || c.empty()):
			o = nil
			continue
		case err != nil:
			return nil, err
		case c.empty():
			return o, nil
		}
		written, err := s.write(ctx, r, o, c)
		switch {
		case err == nil:
			s.remember(written)
			return written, nil
		case missing(err) || !apierrors.IsConflict(err) && !apierrors.IsNotFound(err):
			return nil, s.fail(what, r, err)
		}
		if o = nil; !fresh {
			continue
		}
		if err := sleep.For(ctx, rand.N(maxPause)); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil, fmt.Errorf("%s: %w, %d times in a row", what, cloud.ErrConflict, maxTries)
}

// write writes a change. If it changes spec and status, the first write is the commit.
func (s *Store) write(ctx context.Context, r resource, o *object, c change) (*object, error) {
	o, err := s.complete(ctx, r, o)
	switch {
	case err != nil:
		return nil, err
	case len(c.status) == 0:
		return s.patch(ctx, r, o, map[string]any{"spec": c.spec}, nil)
	case len(c.spec) == 0:
		return s.patch(ctx, r, o, map[string]any{"status": c.status}, nil, "status")
	}
	note, err := json.Marshal(statusNote{UID: o.uid, Status: c.status})
	if err != nil {
		return nil, err
	}
	if len(note) > maxNote {
		return nil, fmt.Errorf("the change of the status has %d bytes, want at most %d together with one of the job: %w", len(note), maxNote, cloud.ErrRefused)
	}
	committed, err := s.patch(ctx, r, o, map[string]any{"spec": c.spec}, map[string]any{noteStatus: string(note)})
	if err != nil {
		return nil, err
	}
	done, err := s.complete(ctx, r, committed)
	if err != nil {
		// It's already committed. The next writer completes it.
		s.cfg.Logger.DebugContext(ctx, "cloud: could not write the status of a changed job, retrying later", "object", o.object, "error", err)
		return committed, nil
	}
	return done, nil
}

// complete writes the pending change of the status, and returns the new object.
func (s *Store) complete(ctx context.Context, r resource, o *object) (*object, error) {
	if o.unsaved == nil {
		return o, nil
	}
	written, err := s.patch(ctx, r, o, map[string]any{"status": o.unsaved}, nil, "status")
	if err != nil {
		return nil, err
	}
	return s.patch(ctx, r, written, map[string]any{}, map[string]any{noteStatus: nil})
}

// patch merges a body into an object unless the object has changed since it was read.
func (s *Store) patch(ctx context.Context, r resource, o *object, body, annotations map[string]any, sub ...string) (*object, error) {
	if s.ctx.Err() != nil {
		return nil, ErrClosed
	}
	metadata := map[string]any{"resourceVersion": o.version, "uid": o.uid}
	if annotations != nil {
		metadata["annotations"] = annotations
	}
	body["metadata"] = metadata
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	u, err := s.client(r, o.namespace).Patch(ctx, o.object, types.MergePatchType, text, metav1.PatchOptions{FieldManager: manager}, sub...)
	if err != nil {
		return nil, err
	}
	return s.newObject(o.kind, o.namespace, u), nil
}

// Delete implements [cloud.Store]. The job's own objects are deleted in the background.
func (s *Store) Delete(ctx context.Context, kind cloud.Kind, name string, options cloud.DeleteOptions) error {
	what := fmt.Sprintf("delete %s %q", kind, name)
	r, err := resourceOf(kind)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for range maxTries {
		o, err := s.find(ctx, what, r, name, "")
		switch {
		case err != nil:
			return err
		case o == nil:
			return fmt.Errorf("%s: %w", what, cloud.ErrNotFound)
		case options.Version != "" && options.Version != o.version:
			return fmt.Errorf("%s of version %s: it has version %s: %w", what, options.Version, o.version, cloud.ErrConflict)
		}
		uid, only := types.UID(o.uid), &metav1.Preconditions{}
		if only.UID = &uid; options.Version != "" {
			only.ResourceVersion = &o.version
		}
		err = s.client(r, o.namespace).Delete(ctx, o.object, metav1.DeleteOptions{Preconditions: only, PropagationPolicy: new(metav1.DeletePropagationBackground)})
		switch {
		case err == nil:
			s.forget(kind, name, o.uid)
			return nil
		case missing(err) || !apierrors.IsConflict(err) && !apierrors.IsNotFound(err):
			return s.fail(what, r, err)
		}
		// It has changed since it was read.
	}
	return fmt.Errorf("%s: %w, %d times in a row", what, cloud.ErrConflict, maxTries)
}
