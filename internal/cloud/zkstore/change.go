package zkstore

import (
	"context"
	"fmt"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

func (s *Store) Create(ctx context.Context, j cloud.Job) (cloud.Definition, error) {
	d := cloud.Definition{Job: j}
	r, err := s.create(ctx, cloud.KindJob, j.Name, j.Disabled, func(r *record) (documents, error) {
		return r.encodeJob(&cloud.Definition{}, &d)
	})
	if err != nil {
		return cloud.Definition{}, err
	}
	return r.definition()
}

func (s *Store) CreateApp(ctx context.Context, a cloud.App) (cloud.App, error) {
	r, err := s.create(ctx, cloud.KindApp, a.Name, a.Disabled, func(r *record) (documents, error) {
		return r.encodeApp(nil, &a)
	})
	if err != nil {
		return cloud.App{}, err
	}
	return r.app()
}

// create creates all nodes in one transaction, and reads them.
func (s *Store) create(ctx context.Context, kind cloud.Kind, name string, disabled bool, encode func(*record) (documents, error)) (*record, error) {
	what := fmt.Sprintf("create %s %q", kind, name)
	if err := checkName(kind, name); err != nil {
		return nil, err
	}
	at := s.paths(kind, name)
	err := s.again(ctx, what, func() error {
		r, err := s.read(ctx, kind, name)
		if err != nil {
			return err
		}
		if r.doc.exists {
			return cloud.ErrExists
		}
		left := *r // An earlier object with this name left nodes behind.
		r.ext, r.status = node{}, node{}
		docs, err := encode(r)
		if err != nil {
			return err
		}
		ops := []zk.Op{zk.SetOp(s.tree.Extension(), nil, zk.AnyVersion)}
		for _, old := range left.parts(at)[1:] {
			if old.node.exists {
				ops = append(ops, zk.DeleteOp(old.path, old.node.stat.Version))
			}
		}
		ops = append(ops, zk.CreateOp(at.doc, docs.doc, zk.Persistent))
		if docs.ext != nil || at.status == "" {
			ops = append(ops, zk.CreateOp(at.ext, orEmpty(docs.ext), zk.Persistent))
		}
		if at.status != "" {
			ops = append(ops, zk.CreateOp(at.status, orEmpty(docs.status), zk.Persistent))
		}
		if disabled {
			ops = append(ops, zk.CreateOp(at.disabled, []byte(name), zk.Persistent))
		}
		return s.client.Multi(ctx, ops...)
	})
	if err != nil {
		return nil, err
	}
	r, err := s.readWritten(ctx, kind, name)
	return r, fail(what, err)
}

func orEmpty(data []byte) []byte {
	if data == nil {
		return []byte("{}")
	}
	return data
}

func (s *Store) Change(ctx context.Context, job string, f func(*cloud.Definition) error) (cloud.Definition, error) {
	var result cloud.Definition
	written, err := s.change(ctx, cloud.KindJob, job, func(r *record) (change, error) {
		before, err := r.definition()
		if err != nil {
			return change{}, err
		}
		after := before.Clone()
		if err := f(&after); err != nil {
			return change{}, err
		}
		if after.Job.Name != job {
			return change{}, fmt.Errorf("the name of job %q cannot become %q: %w", job, after.Job.Name, cloud.ErrRefused)
		}
		result = before
		if same(before.Job, after.Job) && same(before.Status, after.Status) {
			return change{}, nil
		}
		docs, err := r.encodeJob(&before, &after)
		return change{docs: docs, disabled: after.Job.Disabled, wanted: true}, err
	})
	if err != nil || written == nil {
		return result, err
	}
	return written.definition()
}

func (s *Store) ChangeApp(ctx context.Context, app string, f func(*cloud.App) error) (cloud.App, error) {
	var result cloud.App
	written, err := s.change(ctx, cloud.KindApp, app, func(r *record) (change, error) {
		before, err := r.app()
		if err != nil {
			return change{}, err
		}
		after := before.Clone()
		if err := f(&after); err != nil {
			return change{}, err
		}
		if after.Name != app {
			return change{}, fmt.Errorf("the name of application %q cannot become %q: %w", app, after.Name, cloud.ErrRefused)
		}
		result = before
		if same(before, after) {
			return change{}, nil
		}
		docs, err := r.encodeApp(&before, &after)
		return change{docs: docs, disabled: after.Disabled, wanted: true}, err
	})
	if err != nil || written == nil {
		return result, err
	}
	return written.app()
}

type change struct {
	docs     documents
	disabled bool
	wanted   bool // if false, nothing is written
}

// change writes the result of decide in one transaction that depends on everything decide has seen.
// It returns the written record, nil if nothing was written.
func (s *Store) change(ctx context.Context, kind cloud.Kind, name string, decide func(*record) (change, error)) (*record, error) {
	what := fmt.Sprintf("change %s %q", kind, name)
	if err := checkName(kind, name); err != nil {
		return nil, err
	}
	var written *record
	err := s.again(ctx, what, func() error {
		r, err := s.read(ctx, kind, name)
		if err != nil {
			return err
		}
		if !r.doc.exists {
			return cloud.ErrNotFound
		}
		c, err := decide(r)
		if err != nil || !c.wanted {
			return err
		}
		ops := s.changeOps(r, c)
		stats, err := s.client.MultiStats(ctx, ops...)
		if err != nil {
			return err
		}
		written, err = s.after(ctx, r, c, ops, stats)
		return err
	})
	return written, err
}

// changeOps returns the transaction of a change. It can't check an absent node that the change
// doesn't touch. If such a node is created concurrently, that's a separate change, and our own
// writers also change a checked node with it.
func (s *Store) changeOps(r *record, c change) []zk.Op {
	at := s.paths(r.kind, r.name)
	var ops []zk.Op
	if r.anchor.exists {
		ops = append(ops, zk.CheckOp(s.tree.Extension(), r.anchor.stat.Version))
	}
	if c.docs.doc != nil {
		ops = append(ops, zk.SetOp(at.doc, c.docs.doc, r.doc.stat.Version))
	} else {
		ops = append(ops, zk.CheckOp(at.doc, r.doc.stat.Version))
	}
	ours := func(path string, n node, data []byte) {
		switch {
		case !n.exists && data == nil && path == at.ext && at.status != "": // The status guards jobs.
		case !n.exists:
			ops = append(ops, zk.CreateOp(path, orEmpty(data), zk.Persistent))
		case !r.current(n): // Create the node again, so that it belongs to this document.
			ops = append(ops, zk.DeleteOp(path, n.stat.Version), zk.CreateOp(path, orEmpty(data), zk.Persistent))
		case data != nil:
			ops = append(ops, zk.SetOp(path, data, n.stat.Version))
		default:
			ops = append(ops, zk.CheckOp(path, n.stat.Version))
		}
	}
	ours(at.ext, r.ext, c.docs.ext)
	if at.status != "" {
		ours(at.status, r.status, c.docs.status)
	}
	switch {
	case c.disabled && !r.disabled.exists:
		ops = append(ops, zk.CreateOp(at.disabled, []byte(r.name), zk.Persistent))
	case !c.disabled && r.disabled.exists:
		ops = append(ops, zk.DeleteOp(at.disabled, r.disabled.stat.Version))
	case r.disabled.exists:
		ops = append(ops, zk.CheckOp(at.disabled, r.disabled.stat.Version))
	}
	return ops
}

// after returns the record after a transaction, from its answers if possible. It reads created
// nodes, because their stat isn't in the answers.
func (s *Store) after(ctx context.Context, r *record, c change, ops []zk.Op, stats []zk.Stat) (*record, error) {
	at := s.paths(r.kind, r.name)
	if r.disabled.exists != c.disabled || c.docs.ext != nil && !r.current(r.ext) || at.status != "" && !r.current(r.status) {
		return s.readWritten(ctx, r.kind, r.name)
	}
	w := *r
	for i, op := range ops {
		if op.Data == nil {
			continue
		}
		switch op.Path {
		case at.doc:
			w.doc = node{true, op.Data, stats[i]}
		case at.ext:
			w.ext = node{true, op.Data, stats[i]}
		case at.status:
			w.status = node{true, op.Data, stats[i]}
		}
	}
	return &w, nil
}

func (s *Store) Delete(ctx context.Context, kind cloud.Kind, name string, o cloud.DeleteOptions) error {
	if err := checkName(kind, name); err != nil {
		return err
	}
	at := s.paths(kind, name)
	return s.again(ctx, fmt.Sprintf("delete %s %q", kind, name), func() error {
		r, err := s.read(ctx, kind, name)
		switch {
		case err != nil:
			return err
		case !r.doc.exists:
			return cloud.ErrNotFound
		case o.Version != "" && o.Version != r.version():
			return fmt.Errorf("it has version %s, not %s: %w", r.version(), o.Version, cloud.ErrConflict)
		}
		var ops []zk.Op
		if r.anchor.exists {
			ops = append(ops, zk.SetOp(s.tree.Extension(), nil, zk.AnyVersion))
		}
		ops = append(ops, zk.DeleteOp(at.doc, r.doc.stat.Version))
		for _, part := range r.parts(at)[1:] {
			if part.node.exists {
				ops = append(ops, zk.DeleteOp(part.path, zk.AnyVersion))
			}
		}
		return s.client.Multi(ctx, ops...)
	})
}
