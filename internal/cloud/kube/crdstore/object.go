package crdstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// noteStatus is the annotation with the part of a change that isn't in the status yet.
const noteStatus = kube.Group + "/status-to-write"

// maxNote is its longest value, because an object's annotations have 256 KiB together.
const maxNote = 200 << 10

// object is an ElasticJob or an ElasticJobApp that was read. It's immutable.
type object struct {
	kind   cloud.Kind
	object string // its own name
	// shown is the reported namespace, "" if the store has only one.
	namespace, shown string
	name             string // of the job or the application
	nameless         bool   // spec has no name, so name is the object's own
	uid              string
	version          string
	revision         int64
	created          time.Time
	changed          time.Time // when something other than the status last changed
	deleting         bool
	spec             encoded
	status           encoded        // including the pending change
	unsaved          map[string]any // the pending change, as a merge patch, or nil
}

// encoded is a JSON object as text, or "". It needs a quarter of the memory of decoded values.
type encoded string

func encode(fields map[string]any) encoded {
	if fields == nil {
		return ""
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(fmt.Sprintf("crdstore: what was decoded from JSON cannot be written: %v", err)) // It only has JSON values.
	}
	return encoded(text)
}

// fields returns a copy for the caller.
func (e encoded) fields() map[string]any {
	var m map[string]any
	if e == "" {
		return m
	}
	if err := decodeNumbers([]byte(e), &m); err != nil {
		panic(fmt.Sprintf("crdstore: what was written as JSON cannot be read: %v", err))
	}
	return m
}

// read decodes it into a value, unless it's empty.
func (e encoded) read(into any) error {
	if e == "" {
		return nil
	}
	return json.Unmarshal([]byte(e), into)
}

type statusNote struct {
	// UID is the object's. A copy has another one.
	UID    string         `json:"uid"`
	Status map[string]any `json:"status"`
}

func (s *Store) newObject(kind cloud.Kind, namespace string, u *unstructured.Unstructured) *object {
	o := readObject(kind, u)
	if o.namespace = namespace; s.several() {
		o.shown = namespace
	}
	return o
}

func (o *object) id() string { return o.namespace + "/" + o.object }

func readObject(kind cloud.Kind, u *unstructured.Unstructured) *object {
	o := &object{
		kind: kind, object: u.GetName(), uid: string(u.GetUID()), version: u.GetResourceVersion(),
		created: u.GetCreationTimestamp().UTC(), deleting: u.GetDeletionTimestamp() != nil,
	}
	o.revision, _ = strconv.ParseInt(o.version, 10, 64) // Versions of the API are growing numbers.
	o.changed = o.created
	for _, m := range u.GetManagedFields() {
		if m.Subresource == "" && m.Time != nil && m.Time.After(o.changed) {
			o.changed = m.Time.UTC()
		}
	}
	spec, _ := u.Object["spec"].(map[string]any)
	status, _ := u.Object["status"].(map[string]any)
	if text := u.GetAnnotations()[noteStatus]; text != "" {
		var note statusNote
		// Ignore it if it was edited.
		if err := decodeNumbers([]byte(text), &note); err == nil && note.UID == o.uid {
			o.unsaved, status = note.Status, merged(status, note.Status)
		}
	}
	o.spec, o.status = encode(spec), encode(status)
	o.name, _ = spec[resources[kind].field].(string)
	if o.name == "" {
		o.name, o.nameless = o.object, true
	}
	return o
}

// decodeNumbers keeps numbers as they are written.
func decodeNumbers(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func toMap(value any) (map[string]any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	return m, decodeNumbers(text, &m)
}

// unreadable refuses an object with a part that this version can't read.
func (o *object) unreadable(part string, err error) error {
	return fmt.Errorf("%s of %s %s: %w: %w", part, resources[o.kind].object, o.object, err, cloud.ErrRefused)
}

func (o *object) named() error {
	if o.nameless {
		return o.unreadable("spec", errors.New(resources[o.kind].field+" is missing"))
	}
	return nil
}

func (o *object) app() (cloud.App, error) {
	a := cloud.NewApp(o.name)
	err := o.named()
	if err == nil {
		if err = o.spec.read(&a); err != nil {
			err = o.unreadable("spec", err)
		}
	}
	if err != nil {
		return cloud.App{Name: o.name, Namespace: o.shown}, err
	}
	a.Namespace = o.shown
	return a, nil
}

func (o *object) definition() (cloud.Definition, error) {
	nothing := cloud.Definition{Job: cloud.Job{Name: o.name, Namespace: o.shown}}
	if err := o.named(); err != nil {
		return nothing, err
	}
	job := cloud.NewJob(o.name, "", 0)
	if err := o.spec.read(&job); err != nil {
		return nothing, o.unreadable("spec", err)
	}
	job.Namespace = o.shown
	status, err := readStatus(o.status)
	if err != nil {
		return nothing, o.unreadable("status", err)
	}
	return cloud.Definition{
		Job: job, UID: o.uid, Created: o.created, Changed: o.changed, Version: o.version, Revision: o.revision, Status: status,
	}, nil
}

func (o *object) event() cloud.StoreEvent {
	e := cloud.StoreEvent{Event: cloud.EventChanged, Kind: o.kind, Name: o.name}
	if o.kind == cloud.KindApp {
		e.App, e.Err = o.app()
	} else {
		e.Definition, e.Err = o.definition()
	}
	return e
}

// storedStatus is a status in the resource's form: conditions like Kubernetes, parameters as text to
// keep them unchanged, and the number of pending fire times for lists.
type storedStatus struct {
	cloud.Status

	Conditions []storedCondition `json:"conditions,omitempty"`
	Requests   []storedRequest   `json:"pendingManual,omitempty"`
	Count      int               `json:"pendingCount"`
}

type storedCondition struct {
	Type    string    `json:"type"`
	Status  string    `json:"status"` // True or False
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Since   time.Time `json:"lastTransitionTime,omitzero"`
}

type storedRequest struct {
	cloud.Request

	Parameters string `json:"parameters,omitempty"`
}

func storedOf(c cloud.Condition) storedCondition {
	status := "False"
	if c.OK {
		status = "True"
	}
	return storedCondition{c.Type, status, c.Reason, c.Message, c.Since}
}

func writeStatus(s cloud.Status) (map[string]any, error) {
	stored := storedStatus{Status: s, Count: len(s.Pending) + len(s.Requests)}
	for _, c := range s.Conditions {
		stored.Conditions = append(stored.Conditions, storedOf(c))
	}
	for _, r := range s.Requests {
		stored.Requests = append(stored.Requests, storedRequest{r, string(r.Parameters)})
	}
	return toMap(stored)
}

func readStatus(e encoded) (cloud.Status, error) {
	var stored storedStatus
	if err := e.read(&stored); err != nil {
		return cloud.Status{}, err
	}
	s := stored.Status
	for _, c := range stored.Conditions {
		s.Conditions = append(s.Conditions, cloud.Condition{
			Type: c.Type, OK: c.Status == "True", Reason: c.Reason, Message: c.Message, Since: c.Since,
		})
	}
	for i, r := range stored.Requests {
		if r.Parameters != "" && !json.Valid([]byte(r.Parameters)) {
			return cloud.Status{}, fmt.Errorf("pendingManual[%d].parameters is not valid JSON", i)
		}
		if r.Parameters != "" {
			r.Request.Parameters = json.RawMessage(r.Parameters)
		}
		s.Requests = append(s.Requests, r.Request)
	}
	return s, nil
}
