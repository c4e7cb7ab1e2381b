package zkfake

import (
	"bytes"
	"fmt"
	"math"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Values of the owner field that mark containers and TTL nodes instead of a session.
const (
	ownerContainer int64 = math.MinInt64
	ownerTTLMask   int64 = -1 << 56 // the top byte is set
	ttlMax         int64 = 1<<40 - 1
)

// isSessionOwner reports whether an owner field is a session, as for ordinary ephemeral nodes.
func isSessionOwner(owner int64) bool {
	return owner != 0 && owner != ownerContainer && owner&ownerTTLMask != ownerTTLMask
}

// node is one node of the tree. creates counts all children ever created. It numbers sequential
// children, and together with the number of children it gives the child version.
type node struct {
	data      []byte
	acl       []wire.ACL
	children  map[string]struct{}
	owner     int64
	creates   int32
	wire.Stat // without the fields that stat derives from the others
}

// stat returns the metadata as clients see it. Containers and TTL nodes look persistent to them,
// because the special owners are hidden.
func (n *node) stat() wire.Stat {
	s := n.Stat
	s.DataLength, s.NumChildren = int32(len(n.data)), int32(len(n.children))
	s.Cversion = 2*n.creates - s.NumChildren
	if isSessionOwner(n.owner) {
		s.EphemeralOwner = n.owner
	}
	return s
}

// change is one effect of a transaction that watches may report to clients with read access.
type change struct {
	path string
	kind wire.EventType
	acl  []wire.ACL
	node *node // created, changed or deleted node; nil for a parent
}

// tree holds the nodes and applies single operations to them. It checks the same conditions as the
// real server in the same order, because the order decides which of several errors a client sees.
type tree struct {
	nodes      map[string]*node
	ephemerals map[int64]map[string]struct{}
	reapable   map[string]struct{} // containers and TTL nodes
	changes    []change            // of the current transaction, in order
	undo       []func()            // of the current multi
	undoing    bool                // whether to record undo steps
}

func newTree() *tree {
	t := &tree{
		nodes:      make(map[string]*node),
		ephemerals: make(map[int64]map[string]struct{}),
		reapable:   make(map[string]struct{}),
	}
	// The server starts with these nodes. They don't count as created, so the child version of a
	// fresh root is -1.
	for _, path := range []string{"/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"} {
		n := &node{data: []byte{}, acl: openACL}
		if path == "/zookeeper/config" {
			n.acl, n.Aversion = readOnlyACL, -1
		}
		t.nodes[path] = n
		if path != "/" {
			parent, _ := parentOf(path)
			t.nodes[parent].addChild(nameOf(path))
		}
	}
	return t
}

func (n *node) addChild(name string) {
	if n.children == nil {
		n.children = make(map[string]struct{})
	}
	n.children[name] = struct{}{}
}

// get returns a node. The empty path is the root, as in the real server.
func (t *tree) get(path string) *node {
	if path == "" {
		path = "/"
	}
	return t.nodes[path]
}

// stamp identifies the current transaction.
type stamp struct {
	zxid    int64
	now     int64 // milliseconds
	session int64
	auth    []identity
}

func (t *tree) onUndo(step func()) {
	if t.undoing {
		t.undo = append(t.undo, step)
	}
}

// rollback undoes everything since undoing began.
func (t *tree) rollback() {
	t.changes = t.changes[:0]
	for i := len(t.undo) - 1; i >= 0; i-- {
		t.undo[i]()
	}
}

// create applies one of the four create operations and returns the path of the new node.
func (t *tree) create(tx stamp, op *wire.Request) (string, wire.Code) {
	mode, ok := createModes[op.Flags]
	if !ok {
		return "", wire.CodeBadArguments
	}
	if mode.ttl {
		if op.TTL <= 0 || op.TTL > ttlMax {
			return "", wire.CodeBadArguments
		}
	} else if op.Op == wire.OpCreateTTL {
		// A real server accepts a negative time to live here, and crashes.
		return "", wire.CodeBadArguments
	}
	path := op.Path
	parentPath, ok := parentOf(path)
	if !ok || bytes.IndexByte([]byte(path), 0) >= 0 {
		return "", wire.CodeBadArguments
	}
	acl, err := fixACL(op.ACL, tx.auth)
	if err != wire.CodeOK {
		return "", err
	}
	parent := t.get(parentPath)
	if parent == nil {
		return "", wire.CodeNoNode
	}
	if err := checkACL(parent.acl, permCreate, tx.auth); err != wire.CodeOK {
		return "", err
	}
	if mode.sequential {
		path = fmt.Sprintf("%s%010d", path, parent.creates)
	}
	if !validPath(path) {
		return "", wire.CodeBadArguments
	}
	if t.nodes[path] != nil {
		return "", wire.CodeNodeExists
	}
	if isSessionOwner(parent.owner) {
		return "", wire.CodeNoChildrenForEph
	}

	t.insert(tx, parent, path, newNode(tx, op, mode.ephemeral, acl))
	return path, wire.CodeOK
}

func newNode(tx stamp, op *wire.Request, ephemeral bool, acl []wire.ACL) *node {
	n := &node{
		data: bytes.Clone(op.Data), acl: acl,
		Stat: wire.Stat{Czxid: tx.zxid, Mzxid: tx.zxid, Pzxid: tx.zxid, Ctime: tx.now, Mtime: tx.now},
	}
	switch {
	case op.Op == wire.OpCreateContainer:
		n.owner = ownerContainer
	case op.Op == wire.OpCreateTTL:
		n.owner = ownerTTLMask | op.TTL
	case ephemeral:
		n.owner = tx.session
	}
	return n
}

// insert adds a node below its parent and records how to undo it.
func (t *tree) insert(tx stamp, parent *node, path string, n *node) {
	parentPath, _ := parentOf(path)
	pzxid := parent.Pzxid
	t.attach(path, n)
	parent.creates++
	parent.Pzxid = tx.zxid
	t.onUndo(func() {
		t.detach(path, n)
		parent.creates--
		parent.Pzxid = pzxid
	})
	t.changes = append(t.changes, change{path, wire.NodeCreated, n.acl, n}, change{parentPath, wire.NodeChildrenChanged, parent.acl, nil})
}

func (t *tree) attach(path string, n *node) {
	t.nodes[path] = n
	parent, _ := parentOf(path)
	t.nodes[parent].addChild(nameOf(path))
	switch {
	case n.owner == 0:
	case isSessionOwner(n.owner):
		owned := t.ephemerals[n.owner]
		if owned == nil {
			owned = make(map[string]struct{})
			t.ephemerals[n.owner] = owned
		}
		owned[path] = struct{}{}
	default:
		t.reapable[path] = struct{}{}
	}
}

func (t *tree) detach(path string, n *node) {
	delete(t.nodes, path)
	parent, _ := parentOf(path)
	delete(t.nodes[parent].children, nameOf(path))
	switch {
	case n.owner == 0:
	case isSessionOwner(n.owner):
		owned := t.ephemerals[n.owner]
		delete(owned, path)
		if len(owned) == 0 {
			delete(t.ephemerals, n.owner)
		}
	default:
		delete(t.reapable, path)
	}
}

func (t *tree) delete(tx stamp, path string, version int32) wire.Code {
	parentPath, ok := parentOf(path)
	if !ok || special(path) || bytes.IndexByte([]byte(path), 0) >= 0 {
		return wire.CodeBadArguments
	}
	parent := t.get(parentPath)
	if parent == nil {
		return wire.CodeNoNode
	}
	if err := checkACL(parent.acl, permDelete, tx.auth); err != wire.CodeOK {
		return err
	}
	n := t.nodes[path]
	if n == nil {
		return wire.CodeNoNode
	}
	if version != -1 && version != n.Version {
		return wire.CodeBadVersion
	}
	if len(n.children) > 0 {
		return wire.CodeNotEmpty
	}
	t.remove(tx, path, n)
	return wire.CodeOK
}

// remove removes a childless node without checking permissions.
func (t *tree) remove(tx stamp, path string, n *node) {
	parentPath, _ := parentOf(path)
	parent := t.nodes[parentPath]
	pzxid := parent.Pzxid
	t.detach(path, n)
	parent.Pzxid = tx.zxid
	t.onUndo(func() {
		t.attach(path, n)
		parent.Pzxid = pzxid
	})
	t.changes = append(t.changes, change{path, wire.NodeDeleted, n.acl, n}, change{parentPath, wire.NodeChildrenChanged, parent.acl, nil})
}

// versioned returns a node with a version, for a client with a permission.
func (t *tree) versioned(tx stamp, path string, perm, version int32) (*node, wire.Code) {
	if !validPath(path) {
		return nil, wire.CodeBadArguments
	}
	n := t.nodes[path]
	if n == nil {
		return nil, wire.CodeNoNode
	}
	if err := checkACL(n.acl, perm, tx.auth); err != wire.CodeOK {
		return nil, err
	}
	if version != -1 && version != n.Version {
		return nil, wire.CodeBadVersion
	}
	return n, wire.CodeOK
}

func (t *tree) setData(tx stamp, path string, data []byte, version int32) (wire.Stat, wire.Code) {
	n, err := t.versioned(tx, path, permWrite, version)
	if err != wire.CodeOK {
		return wire.Stat{}, err
	}
	old := *n
	n.data = bytes.Clone(data)
	n.Version++
	n.Mtime = tx.now
	n.Mzxid = tx.zxid
	t.onUndo(func() {
		n.data, n.Version, n.Mtime, n.Mzxid = old.data, old.Version, old.Mtime, old.Mzxid
	})
	t.changes = append(t.changes, change{path, wire.NodeDataChanged, n.acl, n})
	return n.stat(), wire.CodeOK
}

func (t *tree) check(tx stamp, path string, version int32) wire.Code {
	_, err := t.versioned(tx, path, permRead, version)
	return err
}

// setACL applies a setACL operation, which fires no watch.
func (t *tree) setACL(tx stamp, path string, acl []wire.ACL, version int32) (wire.Stat, wire.Code) {
	if !validPath(path) {
		return wire.Stat{}, wire.CodeBadArguments
	}
	fixed, err := fixACL(acl, tx.auth)
	if err != wire.CodeOK {
		return wire.Stat{}, err
	}
	n := t.nodes[path]
	if n == nil {
		return wire.Stat{}, wire.CodeNoNode
	}
	if err := checkACL(n.acl, permAdmin, tx.auth); err != wire.CodeOK {
		return wire.Stat{}, err
	}
	if version != -1 && version != n.Aversion {
		return wire.Stat{}, wire.CodeBadVersion
	}
	n.acl = fixed
	n.Aversion++
	return n.stat(), wire.CodeOK
}

type createMode struct {
	ephemeral, sequential, ttl bool
}

// flagContainer makes a container, but only with the operation createContainer or in a multi;
// otherwise the node is persistent.
const flagContainer = 4

var createModes = map[int32]createMode{
	0:             {},
	1:             {ephemeral: true},
	2:             {sequential: true},
	3:             {ephemeral: true, sequential: true},
	flagContainer: {},
	5:             {ttl: true},
	6:             {ttl: true, sequential: true},
}
