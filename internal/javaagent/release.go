package javaagent

import (
	"strconv"
	"strings"
)

// Release is in what a release of ElasticJob differs from others as far as tests
// meet it. Facts about 3.0.5 come from a build of its tag, because it isn't published.
type Release struct {
	// Version is the release, such as 3.0.4.
	Version string
	// ExecutorKey is its key of the thread pool in a configuration. It refuses a
	// configuration with that of others.
	ExecutorKey string
	// TracingTag begins the class of the tracing settings it stores.
	TracingTag string
	// UnknownStrategy is what it logs at a strategy X that it does not know.
	UnknownStrategy string
	// TraceSource is what it writes into the column source of
	// JOB_STATUS_TRACE_LOG; empty for a release whose table has none.
	TraceSource string
	// LambdaMark is what the class name of a lambda ends with in the job's node.
	LambdaMark string
	// Forgets reports whether it deletes a server node that holds this and has no
	// instance when it starts.
	Forgets func(data string) bool
}

// ReleaseOf is the release of a version.
func ReleaseOf(version string) Release {
	r := Release{
		Version:         version,
		ExecutorKey:     "jobExecutorServiceHandlerType",
		TracingTag:      "!!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration",
		UnknownStrategy: "Cannot find sharding strategy using type 'X'.",
		TraceSource:     "LITE_EXECUTOR",
		LambdaMark:      "$$Lambda$",
		Forgets:         func(string) bool { return false },
	}
	if atLeast(version, "3.0.4") {
		r.Forgets = func(data string) bool { return data == "" }
	}
	if atLeast(version, "3.0.5") {
		r.ExecutorKey = "jobExecutorThreadPoolSizeProviderType"
		r.TracingTag = "!!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration"
		r.UnknownStrategy = "JobShardingStrategy` with type `X`"
		r.TraceSource = ""
		r.LambdaMark = "$$Lambda"
		r.Forgets = func(data string) bool { return data != "" }
	}
	return r
}

// SourceColumn is an SQL expression of the column source, for tables that may
// not have it.
func (r Release) SourceColumn() string {
	if r.TraceSource == "" {
		return "''"
	}
	return "source"
}

// Reads reports whether it can read a configuration by its words.
func (r Release) Reads(config string) bool {
	for _, other := range []Release{ReleaseOf("3.0.4"), ReleaseOf("3.0.5")} {
		if other.ExecutorKey == r.ExecutorKey {
			continue
		}
		if strings.Contains(config, other.ExecutorKey+":") || strings.Contains(config, other.TracingTag) {
			return false
		}
	}
	return true
}

// names305 has the names of 3.0.4 that our sources use, each followed by its name in 3.0.5.
// Of two that begin alike the longer one comes first.
var names305 = strings.NewReplacer(
	"elasticjob-lite-core", "elasticjob-bootstrap",
	"elasticjob.api.ShardingContext", "elasticjob.spi.executor.item.param.ShardingContext",
	"elasticjob.infra.env", "elasticjob.kernel.infra.env",
	"elasticjob.infra.listener.ShardingContexts", "elasticjob.spi.listener.param.ShardingContexts",
	"elasticjob.infra.listener", "elasticjob.spi.listener",
	"elasticjob.lite.api.bootstrap.impl", "elasticjob.bootstrap.type",
	"elasticjob.lite.api.listener", "elasticjob.kernel.listener",
	"elasticjob.lite.internal", "elasticjob.kernel.internal",
	"elasticjob.tracing.api", "elasticjob.kernel.tracing.config",
	"jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType",
)

// Rename returns the text or name of a source in the names of the release. Sources have
// the names of 3.0.4.
func (r Release) Rename(source string) string {
	if atLeast(r.Version, "3.0.5") {
		return names305.Replace(source)
	}
	return source
}

// Statuses is how many steps of a run it records in tables of 3.0.5's form, of
// three that it takes: up to 3.0.4 it fails for the missing column.
func (r Release) Statuses(steps int) int {
	if r.TraceSource != "" {
		return 0
	}
	return steps
}

// atLeast compares versions by their numbers; what is behind a dash does not
// count.
func atLeast(version, other string) bool {
	a, b := numbers(version), numbers(other)
	for i, n := range b {
		if i >= len(a) || a[i] != n {
			return i < len(a) && a[i] > n
		}
	}
	return true
}

func numbers(version string) []int {
	version, _, _ = strings.Cut(version, "-")
	var list []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		list = append(list, n)
	}
	return list
}
