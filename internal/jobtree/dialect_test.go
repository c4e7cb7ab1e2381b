package jobtree

import (
	"fmt"
	"testing"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func TestDialectOf(t *testing.T) {
	t.Parallel()
	const plain = "jobName: a\nshardingTotalCount: 1\n"
	for _, tt := range []struct {
		what, data string
		dialect    jobconfig.Dialect
		known      bool
	}{
		{"nothing to detect it by", plain, jobconfig.Dialect304, false},
		{"the key of 3.0.4", "jobExecutorServiceHandlerType: CPU\n" + plain, jobconfig.Dialect304, true},
		{"the key of 3.0.5", "jobExecutorThreadPoolSizeProviderType: CPU\n" + plain, jobconfig.Dialect305, true},
		{"tracing of 3.0.4", "jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n" + plain, jobconfig.Dialect304, true},
		{"tracing of 3.0.5", "jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n" + plain, jobconfig.Dialect305, true},
		{"2.1.5", `{"jobName":"a","shardingTotalCount":1,"jobClass":"A"}`, jobconfig.Dialect304, false},
		{"nonsense", "[", jobconfig.Dialect304, false},
		{"empty", "", jobconfig.Dialect304, false},
	} {
		if dialect, known := DialectOf([]byte(tt.data)); dialect != tt.dialect || known != tt.known {
			t.Errorf("%s: %v, %v", tt.what, dialect, known)
		}
	}
}

// TestV07CommonDialect: the majority of the first 64 by name counts.
func TestV07CommonDialect(t *testing.T) {
	t.Parallel()
	const none, old, young = "jobName: a\nshardingTotalCount: 1\n", "jobExecutorServiceHandlerType: CPU\n", "jobExecutorThreadPoolSizeProviderType: CPU\n"
	for _, tt := range []struct {
		documents []string
		dialect   jobconfig.Dialect
		known     bool
	}{
		{nil, jobconfig.Dialect304, false},
		{[]string{none, "", "["}, jobconfig.Dialect304, false},
		{[]string{none, young}, jobconfig.Dialect305, true},
		{[]string{none, old}, jobconfig.Dialect304, true},
		{[]string{young, old}, jobconfig.Dialect304, false},
		{[]string{young, old, young}, jobconfig.Dialect305, true},
		{[]string{old, old, young}, jobconfig.Dialect304, true},
	} {
		var documents [][]byte
		for _, d := range tt.documents {
			documents = append(documents, []byte(d))
		}
		if dialect, known := CommonDialect(documents); dialect != tt.dialect || known != tt.known {
			t.Errorf("%q: %v, %v", tt.documents, dialect, known)
		}
	}
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("job-%02d", 99-i))
	}
	if sample := DialectSample(names); len(sample) != 64 || sample[0] != "job-00" || sample[63] != "job-63" || names[0] != "job-99" {
		t.Errorf("sample %q of %q", sample, names)
	}
}
