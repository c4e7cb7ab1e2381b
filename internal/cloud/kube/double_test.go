package kube

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authentication/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// double is an API server for Jobs and pods in memory, and imitates the Job controller and the
// kubelets. It's used with client-go over HTTP, so lists, watches, versions and errors are
// realistic. kubetest checks it with the same conformance tests on a real control plane.
type double struct {
	*httptest.Server

	// meet is called before each request; a non-zero status is the answer. after is called after a
	// request was carried out; true loses the reply.
	meet  func(*http.Request) int
	after func(*http.Request) bool

	mu      sync.Mutex
	version int
	oldest  int // earlier versions are forgotten
	objects map[string]metav1.Object
	log     []change
	changed chan struct{} // closed at each change
	plays   map[types.UID]*play
	closed  chan struct{} // closed to end all watches
	tokens  map[string]authv1.TokenReviewStatus
}

type change struct {
	version int
	kind    string // jobs, pods or statefulsets
	event   string
	object  json.RawMessage
	labels  labels.Set
}

func newDouble(t *testing.T) *double {
	d := &double{objects: make(map[string]metav1.Object), changed: make(chan struct{}), plays: make(map[types.UID]*play), closed: make(chan struct{})}
	d.Server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() {
		d.endWatches()
		d.Close()
	})
	return d
}

func (d *double) clients(t *testing.T) Clients {
	t.Helper()
	c, err := Connect(&rest.Config{Host: d.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// endWatches ends all watches, like a server that stops.
func (d *double) endWatches() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.closed)
	d.closed = make(chan struct{})
}

// forgetHistory makes watches of earlier versions fail with 410.
func (d *double) forgetHistory() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.oldest = d.version
}

// put stores an object and reports it. d.mu must be held.
func (d *double) put(kind string, o metav1.Object) {
	event := "MODIFIED"
	if o.GetResourceVersion() == "" {
		event = "ADDED"
		o.SetUID(types.UID(fmt.Sprintf("uid-%d", d.version+1)))
		o.SetCreationTimestamp(metav1.Now())
	}
	d.objects[kind+"/"+o.GetName()] = o
	d.report(kind, event, o)
}

func (d *double) remove(kind string, o metav1.Object) {
	delete(d.objects, kind+"/"+o.GetName())
	d.report(kind, "DELETED", o)
}

func (d *double) report(kind, event string, o metav1.Object) {
	d.version++
	o.SetResourceVersion(strconv.Itoa(d.version))
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	d.log = append(d.log, change{d.version, kind, event, text, labels.Set(o.GetLabels())})
	close(d.changed)
	d.changed = make(chan struct{})
}

// serve answers requests such as GET /apis/batch/v1/namespaces/jobs/jobs/NAME.
func (d *double) serve(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	meet := d.meet
	d.mu.Unlock()
	if meet != nil {
		if code := meet(r); code != 0 {
			w.Header().Set("Retry-After", "1")
			refuseRequest(w, code, metav1.StatusReasonUnknown)
			return
		}
	}
	if strings.HasSuffix(r.URL.Path, "/tokenreviews") {
		d.review(w, r)
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	at := slices.Index(parts, "namespaces")
	kind, name, sub := parts[at+2], "", ""
	if len(parts) > at+3 {
		name = parts[at+3]
	}
	if len(parts) > at+4 {
		sub = parts[at+4]
	}
	if name == "" && r.Method == http.MethodGet && r.URL.Query().Get("watch") != "" {
		d.watch(w, r, kind)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	answer, code := d.carryOut(r, kind, name, sub)
	if d.after != nil && d.after(r) {
		panic(http.ErrAbortHandler)
	}
	if text, ok := answer.(string); ok {
		_, _ = io.WriteString(w, text)
		return
	}
	if code >= 400 {
		reason, _ := answer.(metav1.StatusReason)
		refuseRequest(w, code, reason)
		return
	}
	writeJSON(w, code, answer)
}

func refuseRequest(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	writeJSON(w, code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: "the double says " + strconv.Itoa(code),
	})
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value) // The client may be gone.
}

// carryOut carries out all requests except watches. d.mu must be held.
func (d *double) carryOut(r *http.Request, kind, name, sub string) (answer any, code int) {
	body, _ := io.ReadAll(r.Body)
	there := d.objects[kind+"/"+name]
	switch {
	case name == "" && r.Method == http.MethodGet:
		return d.list(r, kind), http.StatusOK
	case r.Method == http.MethodPost:
		return d.create(body)
	case there == nil:
		return metav1.StatusReasonNotFound, http.StatusNotFound
	case sub == "log" && r.URL.Query().Get("previous") != "":
		return "log of " + name + " before\n", http.StatusOK
	case sub == "log":
		return "log of " + name + "\n", http.StatusOK
	case r.Method == http.MethodGet:
		return there, http.StatusOK
	case r.Method == http.MethodPut:
		o, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
		lease, ok := o.(*coordinationv1.Lease)
		if err != nil || !ok {
			return metav1.StatusReasonBadRequest, http.StatusBadRequest
		}
		if lease.ResourceVersion != there.GetResourceVersion() {
			return metav1.StatusReasonConflict, http.StatusConflict
		}
		lease.TypeMeta = metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}
		d.put("leases", lease)
		return lease, http.StatusOK
	case r.Method == http.MethodPatch:
		if set, ok := there.(*appsv1.StatefulSet); ok {
			return d.patchSet(set, r.Header.Get("Content-Type"), body)
		}
		return d.patch(there.(*batchv1.Job), body)
	case r.Method == http.MethodDelete:
		options := &metav1.DeleteOptions{}
		if len(body) > 0 {
			if _, _, err := codecs.UniversalDeserializer().Decode(body, &schema.GroupVersionKind{Version: "v1", Kind: "DeleteOptions"}, options); err != nil {
				return metav1.StatusReasonBadRequest, http.StatusBadRequest
			}
		}
		if p := options.Preconditions; p != nil && p.UID != nil && *p.UID != there.GetUID() {
			return metav1.StatusReasonConflict, http.StatusConflict
		}
		switch o := there.(type) {
		case *corev1.Pod:
			d.deletePod(o, true)
			d.reconcileOwner(o)
		case *batchv1.Job:
			d.deleteJob(o)
		case *appsv1.StatefulSet:
			d.deleteSet(o)
		default:
			d.remove(kind, o)
		}
		return &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}, http.StatusOK
	}
	return metav1.StatusReasonMethodNotAllowed, http.StatusMethodNotAllowed
}

func (d *double) create(body []byte) (any, int) {
	o, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	if lease, ok := o.(*coordinationv1.Lease); ok {
		if d.objects["leases/"+lease.Name] != nil {
			return metav1.StatusReasonAlreadyExists, http.StatusConflict
		}
		lease.TypeMeta = metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}
		d.put("leases", lease)
		return lease, http.StatusCreated
	}
	if set, ok := o.(*appsv1.StatefulSet); ok {
		return d.createSet(set)
	}
	job, ok := o.(*batchv1.Job)
	if err != nil || !ok {
		return metav1.StatusReasonBadRequest, http.StatusBadRequest
	}
	if d.objects["jobs/"+job.Name] != nil {
		return metav1.StatusReasonAlreadyExists, http.StatusConflict
	}
	job.TypeMeta = metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}
	d.put("jobs", job)
	made := job.DeepCopy()
	d.reconcile(job)
	return made, http.StatusCreated
}

// patch applies a merge patch, as far as the engine needs it.
func (d *double) patch(job *batchv1.Job, body []byte) (any, int) {
	var wanted struct {
		Metadata struct {
			UID         types.UID
			Annotations json.RawMessage
		}
		Spec struct {
			Suspend               *bool
			Parallelism           *int32
			ActiveDeadlineSeconds *int64
		}
	}
	if err := json.Unmarshal(body, &wanted); err != nil {
		return metav1.StatusReasonBadRequest, http.StatusBadRequest
	}
	if wanted.Metadata.UID != "" && wanted.Metadata.UID != job.UID {
		return metav1.StatusReasonConflict, http.StatusConflict
	}
	if notes := wanted.Metadata.Annotations; string(notes) == "null" {
		job.Annotations = map[string]string{} // Merging with null removes all.
	} else if notes != nil {
		if err := json.Unmarshal(notes, &job.Annotations); err != nil {
			return metav1.StatusReasonBadRequest, http.StatusBadRequest
		}
	}
	s := &job.Spec
	s.Suspend, s.Parallelism = cmp.Or(wanted.Spec.Suspend, s.Suspend), cmp.Or(wanted.Spec.Parallelism, s.Parallelism)
	s.ActiveDeadlineSeconds = cmp.Or(wanted.Spec.ActiveDeadlineSeconds, s.ActiveDeadlineSeconds)
	d.put("jobs", job)
	changed := job.DeepCopy()
	d.reconcile(job)
	return changed, http.StatusOK
}

func (d *double) list(r *http.Request, kind string) any {
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		selector = labels.Nothing()
	}
	items := []metav1.Object{}
	for key, o := range d.objects {
		if strings.HasPrefix(key, kind+"/") && selector.Matches(labels.Set(o.GetLabels())) {
			items = append(items, o)
		}
	}
	slices.SortFunc(items, func(a, b metav1.Object) int { return cmp.Compare(a.GetName(), b.GetName()) })
	version, name := "v1", map[string]string{"jobs": "JobList", "pods": "PodList", "events": "EventList", "statefulsets": "StatefulSetList"}[kind]
	switch kind {
	case "jobs":
		version = "batch/v1"
	case "statefulsets":
		version = "apps/v1"
	}
	return map[string]any{"apiVersion": version, "kind": name, "metadata": metav1.ListMeta{ResourceVersion: strconv.Itoa(d.version)}, "items": items}
}

func (d *double) watch(w http.ResponseWriter, r *http.Request, kind string) {
	if r.URL.Query().Get("sendInitialEvents") != "" {
		refuseRequest(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		selector = labels.Nothing()
	}
	d.mu.Lock()
	forgotten, closed := from < d.oldest, d.closed
	d.mu.Unlock()
	if forgotten {
		refuseRequest(w, http.StatusGone, metav1.StatusReasonExpired)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for {
		_ = http.NewResponseController(w).Flush()
		d.mu.Lock()
		changed := d.changed
		at, _ := slices.BinarySearchFunc(d.log, from+1, func(c change, v int) int { return c.version - v })
		news := slices.Clone(d.log[at:])
		d.mu.Unlock()
		for _, c := range news {
			if from = c.version; c.kind == kind && selector.Matches(c.labels) {
				_, _ = fmt.Fprintf(w, `{"type":%q,"object":%s}`+"\n", c.event, c.object)
			}
		}
		if len(news) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-closed:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// until waits for a condition of the double.
func (d *double) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(waittest.Patience)
	for {
		d.mu.Lock()
		changed := d.changed
		if holds() {
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("not within 30 s: %s", what)
		}
	}
}
