package sharding_test

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/sharding"
)

func Example() {
	instances := []string{"10.0.0.1@-@4711", "10.0.0.2@-@815"}
	sharding.SortInstances(instances)

	strategy, err := sharding.ByName("AVG_ALLOCATION")
	if err != nil {
		fmt.Println(err)
		return
	}
	assigned := strategy.Assign(instances, "invoices", 3)
	for _, id := range instances {
		fmt.Println(id, assigned[id])
	}
	// Output:
	// 10.0.0.2@-@815 [0 2]
	// 10.0.0.1@-@4711 [1]
}
