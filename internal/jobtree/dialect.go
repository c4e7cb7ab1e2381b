package jobtree

import (
	"bytes"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The class of the tracing settings that Java agents store. It differs between the releases.
var (
	tracing304 = []byte("!!org.apache.shardingsphere.elasticjob.tracing.yaml.")
	tracing305 = []byte("!!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.")
)

// DialectOf returns the release by the words of a stored document. It's false if the document is
// unreadable or doesn't use any word that differs.
func DialectOf(data []byte) (jobconfig.Dialect, bool) {
	if c, err := jobconfig.Decode(data); err != nil || c.Generation != jobconfig.Generation3x {
		return jobconfig.Dialect304, false
	} else if c.ExecutorType != "" {
		return c.Dialect, true
	}
	return TracingDialect(data)
}

// TracingDialect returns the release by the class names in a stored document's tracing settings. It's
// false if there are none.
func TracingDialect(data []byte) (jobconfig.Dialect, bool) {
	switch {
	case bytes.Contains(data, tracing305):
		return jobconfig.Dialect305, true
	case bytes.Contains(data, tracing304):
		return jobconfig.Dialect304, true
	}
	return jobconfig.Dialect304, false
}

// dialectSample is how many jobs determine the words of a namespace.
const dialectSample = 64

// DialectSample selects the jobs that determine a namespace's words by [CommonDialect]. Every process
// selects the same.
func DialectSample(names []string) []string {
	names = slices.Sorted(slices.Values(names))
	return names[:min(len(names), dialectSample)]
}

// CommonDialect returns the dialect of most documents. It's false if there are none or it's a tie.
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

// lambdaMark is in the class name of a Java lambda. The rest of the name differs with every start,
// so agents cut it off: up to 3.0.4 behind one more dollar sign, from 3.0.5 on behind the mark
// itself.
const lambdaMark = "$$Lambda"

// SameClass reports whether two class names mean the same job: equal, or given by different
// releases of ElasticJob to one lambda.
func SameClass(a, b string) bool {
	return a == b || lambdaOf(a) != "" && lambdaOf(a) == lambdaOf(b)
}

// lambdaOf returns the class that contains a lambda. It's empty if the name isn't a lambda's.
func lambdaOf(class string) string {
	outer, found := strings.CutSuffix(strings.TrimSuffix(class, "$"), lambdaMark)
	if !found {
		return ""
	}
	return outer
}
