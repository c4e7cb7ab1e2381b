package jobtree

import (
	"bytes"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/jobconfig"
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
func DialectOf(data []byte) (jobconfig.Dialect, bool) {
	if c, err := jobconfig.Decode(data); err != nil || c.Generation != jobconfig.Generation3x {
		return jobconfig.Dialect304, false
	} else if c.ExecutorType != "" {
		return c.Dialect, true
	}
	return TracingDialect(data)
}

// TracingDialect tells which release's class names the tracing settings of a
// stored document have. It reports false where it has none.
func TracingDialect(data []byte) (jobconfig.Dialect, bool) {
	switch {
	case bytes.Contains(data, tracing305):
		return jobconfig.Dialect305, true
	case bytes.Contains(data, tracing304):
		return jobconfig.Dialect304, true
	}
	return jobconfig.Dialect304, false
}

// UnknownKeys lists the keys of a stored document of 3.x that no release of
// ElasticJob 3.0.x knows, in the order of the document: Java agents refuse it for
// each of them. A document with the thread pools of both releases has both keys
// in the list, because no release knows the two. It is nil for a document that
// cannot be read or is of another generation.
func UnknownKeys(data []byte) []string {
	if c, err := jobconfig.Decode(data); err != nil || c.Generation != jobconfig.Generation3x {
		return nil
	}
	root, err := javayaml.Parse(data)
	if err != nil {
		return nil
	}
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return nil
	}
	var unknown, pools []string
	for _, e := range entries {
		switch {
		case e.Key == jobconfig.Dialect304.ExecutorKey() || e.Key == jobconfig.Dialect305.ExecutorKey():
			pools = append(pools, e.Key)
		case !jobconfig.KnownKey(e.Key) && e.Key != extraConfigurations:
			unknown = append(unknown, e.Key)
		}
	}
	if slices.Contains(pools, jobconfig.Dialect304.ExecutorKey()) && slices.Contains(pools, jobconfig.Dialect305.ExecutorKey()) {
		unknown = append(unknown, jobconfig.Dialect304.ExecutorKey(), jobconfig.Dialect305.ExecutorKey())
	}
	return unknown
}

// extraConfigurations is the key of the settings that Java keeps as tagged
// blocks.
const extraConfigurations = "jobExtraConfigurations"

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
func CommonDialect(documents [][]byte) (jobconfig.Dialect, bool) {
	balance := 0
	for _, data := range documents {
		switch dialect, known := DialectOf(data); {
		case known && dialect == jobconfig.Dialect305:
			balance++
		case known:
			balance--
		}
	}
	if balance > 0 {
		return jobconfig.Dialect305, true
	}
	return jobconfig.Dialect304, balance < 0
}
