package crdstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

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
