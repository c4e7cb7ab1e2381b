package jobconfig_test

import (
	"fmt"
	"log"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Edit a configuration that a Java agent stored. Only the changed line differs: the tagged block
// and an unknown key stay.
func ExampleConfig_Encode() {
	stored := `cron: 0/5 * * * * ?
jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
  type: RDB
jobName: invoices
newKey: {a: 1}
shardingTotalCount: 3
`
	config, err := jobconfig.Decode([]byte(stored))
	if err != nil {
		log.Fatal(err)
	}
	config.Cron = "*/10 * * * * ?"
	data, err := config.Encode()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(data))
	// Output:
	// cron: '*/10 * * * * ?'
	// jobExtraConfigurations:
	// - !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
	//   type: RDB
	// jobName: invoices
	// newKey: {a: 1}
	// shardingTotalCount: 3
}
