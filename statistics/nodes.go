package statistics

import (
	"unique"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// nodes are the cached nodes: a table per job and one table for all other nodes. There may be
// hundreds of thousands of nodes, so we store them in slices, and store each path below a job once
// for all jobs.
type nodes struct {
	ns     jobtree.Namespace
	byJob  map[string]*nodeTable
	others nodeTable
	count  int
}

// nodeTable has the cached nodes of a job, unsorted.
type nodeTable struct {
	kept []keptNode
	// index has the position of each node in kept. It's nil while the table is small.
	index map[nodeName]int
}

// smallTable is the largest table that is searched without an index.
const smallTable = 64

type keptNode struct {
	below unique.Handle[string] // the path below the job
	cachedNode
}

func (k *keptNode) name() nodeName { return nodeName{k.below, k.listing} }

type nodeName struct {
	below    unique.Handle[string]
	children bool
}

func newNodes(ns jobtree.Namespace) nodes {
	return nodes{ns: ns, byJob: make(map[string]*nodeTable)}
}

// place returns a node's table and its name there. If the table doesn't exist, it's created with
// make, and nil otherwise.
func (t *nodes) place(key cacheKey, make bool) (*nodeTable, nodeName) {
	job, below := t.ns.JobOf(key.path)
	if !below {
		return &t.others, nodeName{unique.Make(key.path), key.children}
	}
	table := t.byJob[job.Name()]
	if table == nil && make {
		table = &nodeTable{}
		t.byJob[job.Name()] = table
	}
	return table, nodeName{unique.Make(key.path[len(t.ns.Root())+1+len(job.Name()):]), key.children}
}

func (t *nodes) get(key cacheKey) (n cachedNode, kept bool) {
	table, name := t.place(key, false)
	if table == nil {
		return n, false
	}
	if i := table.find(name); i >= 0 {
		return table.kept[i].cachedNode, true
	}
	return n, false
}

func (t *nodes) set(key cacheKey, n cachedNode) {
	table, name := t.place(key, true)
	n.listing = key.children
	if i := table.find(name); i >= 0 {
		table.kept[i].cachedNode = n
		return
	}
	t.count++
	table.kept = append(table.kept, keptNode{name.below, n})
	switch size := len(table.kept); {
	case table.index != nil:
		table.index[name] = size - 1
	case size > smallTable:
		table.index = make(map[nodeName]int)
		for i := range table.kept {
			table.index[table.kept[i].name()] = i
		}
	}
}

func (t *nodes) remove(key cacheKey) {
	table, name := t.place(key, false)
	if table == nil {
		return
	}
	i := table.find(name)
	if i < 0 {
		return
	}
	t.count--
	last := len(table.kept) - 1
	moved := table.kept[last]
	table.kept[i], table.kept[last] = moved, keptNode{}
	table.kept = table.kept[:last]
	if table.index != nil {
		table.index[moved.name()] = i
		delete(table.index, name)
	}
	if job, below := t.ns.JobOf(key.path); below && last == 0 {
		delete(t.byJob, job.Name())
	}
}

// trim frees the space for further nodes of a job, because it usually gets no more after its first
// row.
func (t *nodes) trim(job string) {
	if table := t.byJob[job]; table != nil && cap(table.kept)-len(table.kept) > len(table.kept)/8 {
		table.kept = append(make([]keptNode, 0, len(table.kept)), table.kept...)
	}
}

// suspectAll marks every node as possibly out of date, so that it's compared before its next use.
func (t *nodes) suspectAll() {
	t.others.suspectAll()
	for _, table := range t.byJob {
		table.suspectAll()
	}
}

func (t *nodeTable) suspectAll() {
	for i := range t.kept {
		t.kept[i].suspect = true
	}
}

// keys returns the keys of a job's nodes, or of all nodes outside jobs if job is "".
func (t *nodes) keys(job string) []cacheKey {
	table, above := &t.others, ""
	if job != "" {
		if table = t.byJob[job]; table == nil {
			return nil
		}
		above = t.ns.Job(job).Root()
	}
	keys := make([]cacheKey, len(table.kept))
	for i, k := range table.kept {
		keys[i] = cacheKey{above + k.below.Value(), k.listing}
	}
	return keys
}

// find returns the position of a node, or -1.
func (t *nodeTable) find(name nodeName) int {
	if t.index != nil {
		if i, known := t.index[name]; known {
			return i
		}
		return -1
	}
	for i := range t.kept {
		if t.kept[i].name() == name {
			return i
		}
	}
	return -1
}
