package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Names of the resources that jobs are, if the store is that of package crdstore.
const (
	Group     = "cloud.elasticjob.dev"
	Version   = "v1"
	OwnerKind = "ElasticJob"
)

// Owners knows the objects that jobs are. With it, a run belongs to its job's object and is
// deleted with it, whoever deletes that.
type Owners interface {
	// ObjectName is the name of the object that is a job, false if it is not known; uid is
	// that of the definition.
	ObjectName(job, uid string) (name string, known bool)
	// Exists asks whether there is the object still.
	Exists(ctx context.Context, object, uid string) (bool, error)
}

// own has a run belong to its job's object.
func (e *Engine) own(run metav1.Object, job, uid string) {
	if e.cfg.Owners == nil {
		return
	}
	name, known := e.cfg.Owners.ObjectName(job, uid)
	if !known {
		return // A wrong name would have the run deleted at once.
	}
	run.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: Group + "/" + Version, Kind: OwnerKind, Name: name, UID: types.UID(uid), Controller: new(true), BlockOwnerDeletion: new(false),
	}})
}

// ownerOf is the object that a run belongs to, nil if there is none.
func ownerOf(run metav1.Object) *metav1.OwnerReference {
	if owner := metav1.GetControllerOf(run); owner != nil && owner.Kind == OwnerKind {
		return owner
	}
	return nil
}

// orphaned reports whether a run whose Job or StatefulSet vanished has lost the object it
// belonged to.
func (e *Engine) orphaned(ctx context.Context, owner *metav1.OwnerReference) (bool, error) {
	if e.cfg.Owners == nil || owner == nil {
		return false, nil
	}
	exists, err := e.cfg.Owners.Exists(ctx, owner.Name, string(owner.UID))
	return !exists && err == nil, err
}
