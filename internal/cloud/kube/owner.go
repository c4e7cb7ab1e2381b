package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Names of the jobs' resources, if the store is package crdstore.
const (
	Group     = "cloud.elasticjob.dev"
	Version   = "v1"
	OwnerKind = "ElasticJob"
)

// Owners returns the jobs' objects. With it, a run belongs to its job's object and is deleted with
// it, even by others.
type Owners interface {
	// ObjectName returns the name of the job's object, or false if it's unknown. uid is the definition's.
	ObjectName(job, uid string) (name string, known bool)
	// Exists checks whether the object still exists.
	Exists(ctx context.Context, object, uid string) (bool, error)
}

// own makes a run belong to its job's object.
func (e *Engine) own(run metav1.Object, job, uid string) {
	if e.cfg.Owners == nil {
		return
	}
	name, known := e.cfg.Owners.ObjectName(job, uid)
	if !known {
		return // With a wrong name the run would be deleted at once.
	}
	run.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: Group + "/" + Version, Kind: OwnerKind, Name: name, UID: types.UID(uid), Controller: new(true), BlockOwnerDeletion: new(false),
	}})
}

func ownerOf(run metav1.Object) *metav1.OwnerReference {
	if owner := metav1.GetControllerOf(run); owner != nil && owner.Kind == OwnerKind {
		return owner
	}
	return nil
}

// orphaned reports whether the owner of a vanished Job or StatefulSet has vanished, too.
func (e *Engine) orphaned(ctx context.Context, owner *metav1.OwnerReference) (bool, error) {
	if e.cfg.Owners == nil || owner == nil {
		return false, nil
	}
	exists, err := e.cfg.Owners.Exists(ctx, owner.Name, string(owner.UID))
	return !exists && err == nil, err
}
