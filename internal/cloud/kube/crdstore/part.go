package crdstore

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// part is a watch's state for one namespace.
type part struct {
	namespace string
	indexes   map[cloud.Kind]cache.Indexer
	listed    []cache.InformerSynced

	mu      sync.Mutex
	watched map[cloud.Kind]bool // kinds with a started watch
	fixed   bool                // the watch has started to report, with the unreadable namespaces
	refusal error               // why it was unreadable when the watch started to report
}

func (p *part) begun(kind cloud.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched[kind] = true
}

// read reports whether everything was listed and is watched. With the right to list but not to
// watch, the data would be old.
func (p *part) read() bool {
	for _, listed := range p.listed {
		if !listed() {
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.watched) == len(resources)
}

func (p *part) unread() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refusal
}

// settled reports whether it's known to be readable or not.
func (p *part) settled() bool { return p.unread() != nil || p.read() }

// refused handles an unreadable namespace. It ends the watch if it's the only one, or if it was
// readable when the watch started to report.
func (w *watching) refused(p *part, err error) {
	if !w.several() {
		w.end(err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.fixed:
		p.refusal = err
	case p.refusal == nil:
		w.end(fmt.Errorf("namespace %s can no longer be read: %w", p.namespace, err))
	}
}

// begin decides which namespaces are unreadable, and fills in their last known state. If none is
// readable, it ends the watch and returns false.
func (w *watching) begin() bool {
	w.unread = make(map[string]error)
	for _, p := range w.parts {
		p.mu.Lock()
		p.fixed = true
		if p.refusal != nil {
			w.unread[p.namespace] = p.refusal
		}
		p.mu.Unlock()
	}
	if first := w.parts[0]; len(w.unread) == len(w.parts) {
		w.end(fmt.Errorf("no namespace can be read, for example %s: %w", first.namespace, w.unread[first.namespace]))
		return false
	}
	w.Store.mu.Lock()
	defer w.Store.mu.Unlock()
	for _, known := range w.known {
		for _, o := range known {
			if at := (key{kind: o.kind, name: o.name}); w.unread[o.namespace] != nil {
				w.last[at] = o
				w.mark(at)
			}
		}
	}
	return true
}

// awaitRead ends the watch when an unreadable namespace becomes readable.
func (w *watching) awaitRead(ctx context.Context) {
	var again sync.WaitGroup
	for _, p := range w.parts {
		if w.unread[p.namespace] != nil {
			again.Go(func() {
				if cache.WaitForCacheSync(ctx.Done(), p.read) {
					w.end(fmt.Errorf("namespace %s can be read again", p.namespace))
				}
			})
		}
	}
	again.Wait()
}

// doubtful reports whether an object's name may belong to another one, because it was refused in
// favour of an older object in an unreadable namespace.
func (w *watching) doubtful(o *object) bool {
	c, said := conditionOf(o.status.fields(), cloud.ConditionAccepted)
	if !said || c["reason"] != cloud.ReasonNameTaken || c["status"] != "False" {
		return false
	}
	message, _ := c["message"].(string)
	for namespace := range w.unread {
		if strings.Contains(message, inNamespace(namespace)+isOlder) {
			return true
		}
	}
	return false
}
