package zkstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Limits of a tree that is read at once. The documents have tighter limits in the end.
const (
	maxTreeNodes    = 10_000
	maxTreeDocument = 256 << 10
	maxTreeBytes    = 32 << 20
	readersOfTree   = 16
)

// Why a tree can't be read; match with errors.Is. Every other error of [ReadTree] means that
// ZooKeeper didn't answer.
var (
	// ErrNoTree means that the namespace has no ElasticJob-Cloud applications or jobs.
	ErrNoTree = errors.New("no ElasticJob-Cloud tree")
	// ErrTreeForbidden means that we lack a permission in ZooKeeper.
	ErrTreeForbidden = errors.New("ZooKeeper denies access to the tree")
	// ErrTreeTooLarge means that it exceeds the limits.
	ErrTreeTooLarge = errors.New("the tree is too large")
)

// Tree is the content of an ElasticJob-Cloud tree, upstream's or ours, as text. [Tree.Documents] parses it.
type Tree struct {
	Apps map[string]TreeNode `json:"apps"`
	Jobs map[string]TreeNode `json:"jobs"`
	// DisabledApps and DisabledJobs were switched off by an operator.
	DisabledApps []string `json:"disabledApps,omitempty"`
	DisabledJobs []string `json:"disabledJobs,omitempty"`
	// Scheduler reports whether a scheduler takes part in an election there.
	Scheduler bool `json:"scheduler,omitempty"`
}

// TreeNode is an application or a job of a [Tree].
type TreeNode struct {
	Document string `json:"document"`
	// Extension has our scheduler's fields that upstream doesn't know.
	Extension string `json:"extension,omitempty"`
	// Problem is why the documents are missing here.
	Problem string `json:"problem,omitempty"`
}

// ReadTree reads a tree and writes nothing. Errors match [ErrNoTree], [ErrTreeForbidden] or
// [ErrTreeTooLarge]; any other one means that ZooKeeper didn't answer.
func ReadTree(ctx context.Context, client *zk.Client, namespace jobtree.Namespace) (Tree, error) {
	tree, err := readTree(ctx, client, jobtree.NewCloud(namespace))
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		return tree, fmt.Errorf("%w: %w", ErrTreeForbidden, err)
	case err != nil && !errors.Is(err, ErrNoTree) && !errors.Is(err, ErrTreeTooLarge):
		return tree, fmt.Errorf("read the tree: %w", err)
	}
	return tree, err
}

func readTree(ctx context.Context, client *zk.Client, at jobtree.Cloud) (tree Tree, err error) {
	apps, hasApps, err := below(ctx, client, at.Apps())
	if err != nil {
		return tree, err
	}
	jobs, hasJobs, err := below(ctx, client, at.Jobs())
	switch {
	case err != nil:
		return tree, err
	case !hasApps && !hasJobs:
		return tree, fmt.Errorf("%w: neither %s nor %s exists", ErrNoTree, at.Apps(), at.Jobs())
	case len(apps)+len(jobs) > maxTreeNodes:
		return tree, fmt.Errorf("%w: it has %d applications and jobs; at most %d can be read", ErrTreeTooLarge, len(apps)+len(jobs), maxTreeNodes)
	}
	var standing []string
	for path, names := range map[string]*[]string{
		at.DisabledApps(): &tree.DisabledApps, at.DisabledJobs(): &tree.DisabledJobs, at.Election(): &standing,
	} {
		if *names, _, err = below(ctx, client, path); err != nil {
			return tree, err
		}
	}
	tree.Scheduler = len(standing) > 0
	read := new(atomic.Int64)
	if tree.Apps, err = nodesOf(ctx, client, apps, at.App, at.AppExtension, read); err == nil {
		tree.Jobs, err = nodesOf(ctx, client, jobs, at.Job, at.JobExtension, read)
	}
	return tree, err
}

// below returns the sorted names of a node's children; none if the node doesn't exist.
func below(ctx context.Context, client *zk.Client, path string) (names []string, exists bool, err error) {
	names, _, err = client.Children(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil, false, nil
	}
	slices.Sort(names)
	return names, err == nil, err
}

// nodesOf reads documents with our extensions. It leaves out documents that no longer exist.
func nodesOf(ctx context.Context, client *zk.Client, names []string, doc, ext func(string) string, read *atomic.Int64) (map[string]TreeNode, error) {
	nodes := make([]*TreeNode, len(names))
	err := rethrow.Each(ctx, readersOfTree, len(names), func(ctx context.Context, i int) error {
		document, err := nodeAt(ctx, client, doc(names[i]))
		if err != nil || !document.exists {
			return err
		}
		beside, err := nodeAt(ctx, client, ext(names[i]))
		if err != nil {
			return err
		}
		if n := read.Add(int64(len(document.data) + len(beside.data))); n > maxTreeBytes {
			return fmt.Errorf("%w: its documents have more than %d MiB", ErrTreeTooLarge, maxTreeBytes>>20)
		}
		r := record{doc: document, ext: beside}
		nodes[i] = treeNode(document.data, beside.data, r.current(beside))
		return nil
	})
	all := make(map[string]TreeNode, len(names))
	for i, one := range nodes {
		if one != nil {
			all[names[i]] = *one
		}
	}
	return all, err
}

func nodeAt(ctx context.Context, client *zk.Client, path string) (node, error) {
	data, stat, err := client.Get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return node{}, nil
	}
	return node{err == nil, data, stat}, err
}

// treeNode returns the two nodes as text, or the problem.
func treeNode(doc, ext []byte, current bool) *TreeNode {
	if !current {
		ext = nil
	}
	switch n := len(doc) + len(ext); {
	case n > maxTreeDocument:
		return &TreeNode{Problem: fmt.Sprintf("it has %d bytes; at most %d can be read", n, maxTreeDocument)}
	case !utf8.Valid(doc) || !utf8.Valid(ext):
		return &TreeNode{Problem: "it is not valid UTF-8"}
	}
	return &TreeNode{Document: string(doc), Extension: string(ext)}
}

// Document is a parsed application or job of a tree.
type Document struct {
	Kind cloud.Kind
	Name string
	App  cloud.App
	Job  cloud.Job
	// Whole is true if our own fields are included. Otherwise they have their defaults.
	Whole bool
	// Notes are fields that aren't taken over unchanged. [cloud.Job.Unused] returns fields that are
	// kept without an effect.
	Notes []Note
	// Err is why the document can't be read. App and Job are then empty.
	Err error
}

// Note describes what happens to a field of a document.
type Note struct {
	Field, Value string
	// Text is a sentence without its full stop.
	Text string
}

// Only returns the named applications and their jobs, or everything without names. It keeps jobs with
// unreadable documents, because their application is unknown. absent has the names that aren't in the tree.
func (t Tree) Only(apps []string) (part Tree, absent []string) {
	if len(apps) == 0 {
		return t, nil
	}
	part = t
	part.Apps, part.Jobs = make(map[string]TreeNode), make(map[string]TreeNode)
	for _, name := range apps {
		if app, ok := t.Apps[name]; ok {
			part.Apps[name] = app
		} else {
			absent = append(absent, name)
		}
	}
	for _, d := range t.Documents() {
		if d.Kind == cloud.KindJob && (d.Err != nil || slices.Contains(apps, d.Job.AppName)) {
			part.Jobs[d.Name] = t.Jobs[d.Name]
		}
	}
	return part, absent
}

func (t Tree) Size() int { return len(t.Apps) + len(t.Jobs) }

// Documents returns the applications and then the jobs of the tree, by name.
func (t Tree) Documents() []Document {
	var all []Document
	for _, of := range []struct {
		kind     cloud.Kind
		nodes    map[string]TreeNode
		disabled []string
	}{{cloud.KindApp, t.Apps, t.DisabledApps}, {cloud.KindJob, t.Jobs, t.DisabledJobs}} {
		off := make(map[string]bool, len(of.disabled))
		for _, name := range of.disabled {
			off[name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(of.nodes)) {
			all = append(all, documentOf(of.kind, name, of.nodes[name], off[name]))
		}
	}
	return all
}

func documentOf(kind cloud.Kind, name string, n TreeNode, off bool) Document {
	d := Document{Kind: kind, Name: name, Whole: n.Extension != ""}
	r := &record{
		kind: kind, name: name, doc: node{exists: true, data: []byte(n.Document)}, ext: node{exists: n.Extension != "", data: []byte(n.Extension)},
		disabled: node{exists: off},
	}
	if n.Problem != "" {
		d.Err = fmt.Errorf("document of %s %q: %s", kind, name, n.Problem)
		return d
	}
	if kind == cloud.KindApp {
		d.App, d.Err = r.app()
	} else {
		var of cloud.Definition
		of, d.Err = r.definition()
		d.Job = of.Job
	}
	if d.Err != nil {
		return Document{Kind: kind, Name: name, Err: d.Err}
	}
	doc, err := jobtree.ParseCloudDocument([]byte(n.Document))
	if err != nil {
		return Document{Kind: kind, Name: name, Err: err}
	}
	if kind == cloud.KindApp {
		d.Notes = notesOf(name, "appName", doc, &cloud.App{}, func(string) bool { return false })
	} else {
		d.Notes = notesOf(name, "jobName", doc, &cloud.Job{}, func(field string) bool {
			_, kept := d.Job.Compat[field]
			return kept
		})
	}
	return d
}

const (
	notKept    = "it is not imported, and has no effect here"
	nameOfNode = "the document has another name; the node's name is used"
)

// notesOf returns notes for fields of a document that we don't take over. like has the fields that
// we know, and kept reports which others we keep.
func notesOf(name, field string, doc *jobtree.CloudDocument, like any, kept func(field string) bool) (notes []Note) {
	if other := doc.Texts(&struct{}{})[field]; other != "" && other != name {
		notes = append(notes, Note{field, other, nameOfNode})
	}
	texts := doc.Texts(like)
	for _, other := range doc.Others(like) {
		if !kept(other) {
			notes = append(notes, Note{other, texts[other], notKept})
		}
	}
	return notes
}
