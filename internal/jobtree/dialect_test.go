package jobtree

import "testing"

func TestDialectOf(t *testing.T) {
	t.Parallel()
	const plain = "jobName: a\nshardingTotalCount: 1\n"
	for _, tt := range []struct {
		what, data string
		dialect    Dialect
		known      bool
	}{
		{"nothing to tell by", plain, Dialect304, false},
		{"the key of 3.0.4", "jobExecutorServiceHandlerType: CPU\n" + plain, Dialect304, true},
		{"the key of 3.0.5", "jobExecutorThreadPoolSizeProviderType: CPU\n" + plain, Dialect305, true},
		{"tracing of 3.0.4", "jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n" + plain, Dialect304, true},
		{"tracing of 3.0.5", "jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n" + plain, Dialect305, true},
		{"2.1.5", `{"jobName":"a","shardingTotalCount":1,"jobClass":"A"}`, Dialect304, false},
		{"nonsense", "[", Dialect304, false},
		{"empty", "", Dialect304, false},
	} {
		if dialect, known := DialectOf([]byte(tt.data)); dialect != tt.dialect || known != tt.known {
			t.Errorf("%s: %v, %v", tt.what, dialect, known)
		}
	}
}
