package spelling_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"orders-import", "invoices", "invoices-eu", "订单导入", "failover", "shardingTotalCount"}
	for meant, want := range map[string]string{
		"invioces": "invoices", "Invoices": "invoices", "invoice": "invoices", "invoices-us": "invoices-eu",
		"order-import": "orders-import", "fail-over": "failover", "sharding-total-cout": "shardingTotalCount",
		"订单导出": "订单导入", "mail": "", "": "", "x": "",
	} {
		if got := spelling.Nearest(meant, names); got != want {
			t.Errorf("of %q: %q, want %q", meant, got, want)
		}
	}
}
