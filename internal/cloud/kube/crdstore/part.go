package crdstore

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// part is how a watch reads one namespace.
type part struct {
	namespace string
	listed    []cache.InformerSynced

	mu      sync.Mutex
	watched map[cloud.Kind]bool // of these a watch was begun
	fixed   bool                // the watch has begun to report, and what cannot be read is said
	refusal error               // why it cannot be read, as it was when the watch began to report
}

// begun notes that the API server lets us watch.
func (p *part) begun(kind cloud.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched[kind] = true
}

// read reports whether all of it was listed, and is watched: who may list and not watch would
// know what was.
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

// settled reports whether it is known if it can be read.
func (p *part) settled() bool { return p.unread() != nil || p.read() }

// refused takes that a namespace cannot be read. The only one there is ends the watch, and so
// does one that could be read when the watch began to report.
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
		w.end(fmt.Errorf("namespace %s can be read no more: %w", p.namespace, err))
	}
}

// begin fixes which namespaces cannot be read. It has the table say of them what was known
// last. Where there is none that can, it ends the watch and returns false.
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
		w.end(fmt.Errorf("no namespace can be read, %s for one: %w", first.namespace, w.unread[first.namespace]))
		return false
	}
	w.Store.mu.Lock()
	defer w.Store.mu.Unlock()
	for _, known := range w.known {
		for _, o := range known {
			if w.unread[o.namespace] != nil {
				w.table.changed(o)
			}
		}
	}
	return true
}

// awaitRead ends the watch when a namespace can be read that could not.
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

// doubtful reports whether the name of an object may be another one's: it was refused for an
// older object of a namespace that cannot be read.
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
