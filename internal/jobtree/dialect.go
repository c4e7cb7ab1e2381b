package jobtree

import "bytes"

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
