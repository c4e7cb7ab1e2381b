package crdstore_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
)

// double is an API server for custom resources in memory: versions, merge patches, the status
// subresource, field selectors, watches. It has no schema. It's used with client-go over HTTP.
// kubetest checks it with the same conformance tests on a real control plane.
type double struct {
	*httptest.Server

	mu        sync.Mutex
	meet      func(*http.Request) int // called before each request; a non-zero status is the answer
	requests  []string                // method and path, without watches
	installed bool
	version   int
	oldest    int // earlier versions are forgotten
	objects   map[string]map[string]any
	log       []event
	changed   chan struct{} // closed at each change
	closed    chan struct{} // closed to end all watches
}

type event struct {
	version int
	plural  string
	kind    string
	object  json.RawMessage
}

func newDouble(t *testing.T) *double {
	d := &double{installed: true, objects: make(map[string]map[string]any), changed: make(chan struct{}), closed: make(chan struct{})}
	d.Server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() {
		d.endWatches()
		d.Close()
	})
	return d
}

// open returns a store on the double with namespace jobs, and others.
func (d *double) open(t *testing.T, others ...string) *crdstore.Store {
	t.Helper()
	clients, err := kube.Connect(&rest.Config{Host: d.URL, QPS: 1000, Burst: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s, err := crdstore.New(crdstore.Config{Clients: clients, Namespace: "jobs", Namespaces: others, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (d *double) faults(meet func(*http.Request) int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.meet = meet
}

func (d *double) install(installed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.installed = installed
}

// endWatches ends all watches, like a server that stops. With forget, earlier changes can't be watched again.
func (d *double) endWatches() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.oldest = d.version
	close(d.closed)
	d.closed = make(chan struct{})
}

func (d *double) asked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.requests
	d.requests = nil
	return asked
}

func (d *double) object(plural, name string) map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.objects[plural+"/"+name]
}

// apply creates or merges an object, like kubectl.
func (d *double) apply(plural, name string, spec, status map[string]any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.objects[plural+"/"+name]
	if old == nil {
		old = map[string]any{"metadata": map[string]any{"name": name}}
	}
	next := clone(old)
	next["spec"], next["status"] = merge(next["spec"], spec), merge(next["status"], status)
	d.put(plural, next, "")
}

func clone(value any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		panic(err)
	}
	return m
}

func merge(target any, patch map[string]any) map[string]any {
	old, _ := target.(map[string]any)
	result := maps.Clone(old)
	if result == nil {
		result = make(map[string]any)
	}
	for key, value := range patch {
		switch v := value.(type) {
		case nil:
			delete(result, key)
		case map[string]any:
			result[key] = merge(result[key], v)
		default:
			result[key] = v
		}
	}
	return result
}

func metadata(o map[string]any) map[string]any { return o["metadata"].(map[string]any) }

// put stores an object and reports it. sub is the written subresource. d.mu must be held.
func (d *double) put(plural string, o map[string]any, sub string) {
	m := metadata(o)
	name, kind := m["name"].(string), "MODIFIED"
	if m["uid"] == nil {
		kind = "ADDED"
		m["uid"], m["namespace"] = fmt.Sprintf("uid-%d", d.version+1), cmp.Or(strings.Trim(path.Dir(plural), "."), "jobs")
		// one second older than the next one
		m["creationTimestamp"] = time.Now().Add(time.Duration(d.version) * time.Second).UTC().Format(time.RFC3339)
	}
	if sub == "" {
		m["managedFields"] = []any{map[string]any{"manager": "test", "operation": "Update", "time": time.Now().UTC().Format(time.RFC3339)}}
	}
	o["apiVersion"], o["kind"] = "cloud.elasticjob.dev/v1", map[string]string{"elasticjobs": "ElasticJob", "elasticjobapps": "ElasticJobApp"}[path.Base(plural)]
	d.objects[plural+"/"+name] = o
	d.report(plural, kind, o)
}

func (d *double) report(plural, kind string, o map[string]any) {
	d.version++
	metadata(o)["resourceVersion"] = strconv.Itoa(d.version)
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	d.log = append(d.log, event{d.version, plural, kind, text})
	close(d.changed)
	d.changed = make(chan struct{})
}

func (d *double) serve(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	parts = append(parts[slices.Index(parts, "namespaces")+1:], "", "")
	plural, name, sub := parts[1], parts[2], parts[3]
	if parts[0] != "jobs" {
		plural = parts[0] + "/" + plural // in another namespace
	}
	watch := name == "" && r.URL.Query().Get("watch") != ""
	d.mu.Lock()
	meet, installed := d.meet, d.installed
	if !watch {
		d.requests = append(d.requests, r.Method+" "+strings.Trim(plural+"/"+name+"/"+sub, "/"))
	}
	d.mu.Unlock()
	if !installed {
		http.Error(w, "404 page not found", http.StatusNotFound)
		return
	}
	if meet != nil {
		if code := meet(r); code != 0 {
			refuse(w, code, metav1.StatusReasonUnknown)
			return
		}
	}
	if watch {
		d.watch(w, r, plural)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	var document map[string]any
	if len(body) > 0 {
		if err := json.Unmarshal(body, &document); err != nil {
			refuse(w, http.StatusBadRequest, metav1.StatusReasonBadRequest)
			return
		}
	}
	answer, code, reason := d.carryOut(r, plural, name, sub, document)
	if code >= 400 {
		refuse(w, code, reason)
		return
	}
	writeJSON(w, code, answer)
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason) {
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
func (d *double) carryOut(r *http.Request, plural, name, sub string, body map[string]any) (answer any, code int, reason metav1.StatusReason) {
	there := d.objects[plural+"/"+name]
	switch {
	case name == "" && r.Method == http.MethodGet:
		return d.list(r, plural), http.StatusOK, ""
	case r.Method == http.MethodPost:
		if d.objects[plural+"/"+metadata(body)["name"].(string)] != nil {
			return nil, http.StatusConflict, metav1.StatusReasonAlreadyExists
		}
		delete(body, "status") // It's a subresource.
		d.put(plural, body, "")
		return body, http.StatusCreated, ""
	case there == nil:
		return nil, http.StatusNotFound, metav1.StatusReasonNotFound
	case r.Method == http.MethodGet:
		return there, http.StatusOK, ""
	case r.Method == http.MethodPatch && r.Header.Get("Content-Type") == "application/merge-patch+json":
		return d.patch(plural, sub, there, body)
	case r.Method == http.MethodDelete:
		wanted, _ := body["preconditions"].(map[string]any)
		for _, field := range []string{"uid", "resourceVersion"} {
			if wanted[field] != nil && wanted[field] != metadata(there)[field] {
				return nil, http.StatusConflict, metav1.StatusReasonConflict
			}
		}
		delete(d.objects, plural+"/"+name)
		d.report(plural, "DELETED", clone(there))
		return &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}, http.StatusOK, ""
	}
	return nil, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed
}

func (d *double) patch(plural, sub string, there, patch map[string]any) (any, int, metav1.StatusReason) {
	for _, field := range []string{"uid", "resourceVersion"} {
		if wanted := metadata(patch)[field]; wanted != nil && wanted != metadata(there)[field] {
			return nil, http.StatusConflict, metav1.StatusReasonConflict
		}
	}
	next := clone(there)
	if sub == "status" {
		next["status"] = merge(next["status"], asMap(patch["status"]))
	} else {
		next["metadata"] = merge(next["metadata"], metadata(patch))
		next["spec"] = merge(next["spec"], asMap(patch["spec"]))
	}
	if !reflect.DeepEqual(next, clone(there)) {
		d.put(plural, next, sub)
	}
	return next, http.StatusOK, ""
}

func asMap(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}

func (d *double) list(r *http.Request, plural string) any {
	selector, err := fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	if err != nil {
		panic(err)
	}
	items := []any{}
	for _, key := range slices.Sorted(maps.Keys(d.objects)) {
		o := d.objects[key]
		known := fields.Set{}
		for _, field := range []string{"jobName", "appName"} {
			known["spec."+field], _ = asMap(o["spec"])[field].(string)
		}
		if strings.HasPrefix(key, plural+"/") && selector.Matches(known) {
			items = append(items, o)
		}
	}
	return map[string]any{"apiVersion": "cloud.elasticjob.dev/v1", "kind": "List", "metadata": map[string]any{"resourceVersion": strconv.Itoa(d.version)}, "items": items}
}

func (d *double) watch(w http.ResponseWriter, r *http.Request, plural string) {
	if r.URL.Query().Get("sendInitialEvents") != "" {
		refuse(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	d.mu.Lock()
	forgotten, closed := from < d.oldest, d.closed
	d.mu.Unlock()
	if forgotten {
		refuse(w, http.StatusGone, metav1.StatusReasonExpired)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for {
		_ = http.NewResponseController(w).Flush()
		d.mu.Lock()
		changed := d.changed
		at, _ := slices.BinarySearchFunc(d.log, from+1, func(e event, v int) int { return e.version - v })
		news := slices.Clone(d.log[at:])
		d.mu.Unlock()
		for _, e := range news {
			if from = e.version; e.plural == plural {
				_, _ = fmt.Fprintf(w, `{"type":%q,"object":%s}`+"\n", e.kind, e.object)
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
