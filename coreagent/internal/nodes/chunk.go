package nodes

import "github.com/elasticjob-go/elasticjob/internal/zk"

// TransactionBytes is the part of ZooKeeper's packet limit that one transaction of a large job
// uses.
const TransactionBytes = zk.MaxTransaction / 2

// Chunks packs groups of operations into transactions below ZooKeeper's packet limit, without
// splitting a group.
func Chunks(groups [][]zk.Op) [][]zk.Op {
	var list [][]zk.Op
	var chunk []zk.Op
	size := 0
	for _, group := range groups {
		grows := 0
		for _, op := range group {
			grows += op.Size()
		}
		if size > 0 && size+grows > TransactionBytes {
			list = append(list, chunk)
			chunk, size = nil, 0
		}
		chunk = append(chunk, group...)
		size += grows
	}
	return append(list, chunk)
}

// Singly makes each operation a group of its own.
func Singly(ops []zk.Op) [][]zk.Op {
	groups := make([][]zk.Op, len(ops))
	for i := range ops {
		groups[i] = ops[i : i+1]
	}
	return groups
}
