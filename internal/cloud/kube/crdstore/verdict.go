package crdstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

const (
	// maxMessage is the length of an error in a condition.
	maxMessage = 4000
	// The pauses between attempts to write a verdict.
	verdictPause, maxVerdictPause = time.Second, 30 * time.Second
)

// verdicts writes the condition Accepted of objects that aren't reported as a job, and of applications,
// which have no other status. All watchers judge alike, so it doesn't matter who writes first.
type verdicts struct {
	store *Store
	wake  chan struct{}

	mu      sync.Mutex
	pending map[key]verdict // by namespace and the object's own name
}

type verdict struct {
	uid string
	cloud.Condition
}

// judge schedules a write of an object's condition unless it's already right. read is the object's
// report, holder the owner of its name.
func (v *verdicts) judge(o *object, read cloud.StoreEvent, holder *object) {
	c, ours := verdictOf(o, read, holder)
	at := key{o.kind, o.object, o.namespace}
	v.mu.Lock()
	defer v.mu.Unlock()
	if !ours || hasCondition(o.status.fields(), c) {
		delete(v.pending, at)
		return
	}
	v.pending[at] = verdict{o.uid, c}
	wake.Up(v.wake)
}

func verdictOf(o *object, read cloud.StoreEvent, holder *object) (c cloud.Condition, ours bool) {
	c = cloud.Condition{Type: cloud.ConditionAccepted}
	err := read.Err
	if err == nil && o.kind == cloud.KindApp {
		err = read.App.Validate()
	}
	switch {
	case o != holder:
		c.Reason = cloud.ReasonNameTaken
		named := holder.object
		if holder.namespace != o.namespace {
			named += inNamespace(holder.namespace)
		}
		c.Message = fmt.Sprintf("%s %s%s and has the name %q; delete one of them, or create this one again with another name", resources[o.kind].object, named, isOlder, o.name)
	case err != nil:
		c.Reason, c.Message = cloud.ReasonInvalid, cut(err.Error())
	case o.kind == cloud.KindApp:
		c.OK, c.Reason = true, "Accepted"
	default:
		return c, false // The scheduler judges jobs.
	}
	return c, true
}

const isOlder = " is older"

func inNamespace(namespace string) string { return " of namespace " + namespace }

// cut returns a text that the server stores unchanged, otherwise the condition would be written
// again and again.
func cut(text string) string {
	if len(text) > maxMessage {
		text = text[:maxMessage] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

func hasCondition(status map[string]any, c cloud.Condition) bool {
	wanted := storedOf(c)
	m, said := conditionOf(status, c.Type)
	return said && m["status"] == wanted.Status && m["reason"] == wanted.Reason && m["message"] == wanted.Message
}

func conditionOf(status map[string]any, kind string) (map[string]any, bool) {
	list, _ := status["conditions"].([]any)
	for _, entry := range list {
		if m, _ := entry.(map[string]any); m["type"] == kind {
			return m, true
		}
	}
	return nil, false
}

func (v *verdicts) next() (at key, c verdict, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for at, c = range v.pending {
		delete(v.pending, at)
		return at, c, true
	}
	return at, c, false
}

// again puts a verdict back unless there is a newer one.
func (v *verdicts) again(at key, c verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, newer := v.pending[at]; !newer {
		v.pending[at] = c
	}
}

// write writes verdicts until ctx ends. It logs failures; the next watch judges again.
func (v *verdicts) write(ctx context.Context) {
	failures := 0
	for ctx.Err() == nil {
		at, c, ok := v.next()
		if !ok {
			select {
			case <-ctx.Done():
			case <-v.wake:
			}
			continue
		}
		err := v.store.condition(ctx, resources[at.kind], at, c)
		switch {
		case err == nil:
			failures = 0
		case ctx.Err() != nil:
		case errors.Is(err, cloud.ErrRefused):
			v.store.cfg.Logger.WarnContext(ctx, "cloud: an object is not accepted, and its status can't be written", "namespace", at.namespace, "object", at.name, "message", c.Message, "error", err)
		default:
			v.again(at, c)
			_ = sleep.For(ctx, min(verdictPause<<min(failures, 10), maxVerdictPause))
			failures++
		}
	}
}

// condition writes one condition of an object if it's still the same object.
func (s *Store) condition(ctx context.Context, r resource, at key, c verdict) error {
	what := "write the condition of " + r.object + " " + at.name
	for range maxTries {
		u, err := s.client(r, at.namespace).Get(ctx, at.name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) && !missing(err) {
			return nil
		}
		if err != nil {
			return s.fail(what, r, err)
		}
		o := s.newObject(r.kind, at.namespace, u)
		if o.uid != c.uid || o.deleting || hasCondition(o.status.fields(), c.Condition) {
			return nil
		}
		_, err = s.write(ctx, r, o, change{status: map[string]any{"conditions": withCondition(o.status.fields(), c.Condition)}})
		if err == nil || !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			if err != nil {
				err = s.fail(what, r, err)
			}
			return err
		}
	}
	return fmt.Errorf("%s: %w, %d times in a row", what, cloud.ErrConflict, maxTries)
}

func withCondition(status map[string]any, c cloud.Condition) []any {
	c.Since = time.Now().UTC()
	wanted, _ := toMap(storedOf(c)) // Texts and a time can always be encoded.
	list, _ := status["conditions"].([]any)
	var result []any
	for _, entry := range list {
		m, ok := entry.(map[string]any)
		switch {
		case !ok:
		case m["type"] != wanted["type"]:
			result = append(result, m)
		default:
			m = maps.Clone(m)
			if since, there := m["lastTransitionTime"]; there && m["status"] == wanted["status"] {
				wanted["lastTransitionTime"] = since
			}
			maps.Copy(m, wanted)
			wanted = m
		}
	}
	return append(result, wanted)
}
