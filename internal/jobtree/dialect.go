package jobtree

import (
	"bytes"
	"slices"
)

// What a document of either release alone contains: the class of the tracing
// settings that Java's agents store.
var (
	tracing304 = []byte("!!org.apache.shardingsphere.elasticjob.tracing.yaml.")
	tracing305 = []byte("!!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.")
)

// DialectOf tells which release's words a stored document uses. It reports false
// where the document has nothing on which the releases disagree, or cannot be
// read.
func DialectOf(data []byte) (Dialect, bool) {
	if c, err := DecodeConfig(data); err != nil || c.Generation != Generation3x {
		return Dialect304, false
	} else if c.ExecutorType != "" {
		return c.Dialect, true
	}
	switch {
	case bytes.Contains(data, tracing305):
		return Dialect305, true
	case bytes.Contains(data, tracing304):
		return Dialect304, true
	}
	return Dialect304, false
}

// dialectSample bounds how many jobs are looked at to find the words of a
// namespace.
const dialectSample = 64

// DialectSample picks the jobs by whose documents [CommonDialect] tells the
// words of a namespace, the same ones in every process.
func DialectSample(names []string) []string {
	names = slices.Sorted(slices.Values(names))
	return names[:min(len(names), dialectSample)]
}

// CommonDialect is that of most documents that show one. It reports false where
// none does, or as many show the one as the other.
func CommonDialect(documents [][]byte) (Dialect, bool) {
	balance := 0
	for _, data := range documents {
		switch dialect, known := DialectOf(data); {
		case known && dialect == Dialect305:
			balance++
		case known:
			balance--
		}
	}
	if balance > 0 {
		return Dialect305, true
	}
	return Dialect304, balance < 0
}
