package runs

import "github.com/elasticjob-go/elasticjob/web/templates/chart"

// GridProps is the last runs of a job by shard, a part of the job's page.
type GridProps struct {
	Grid chart.Grid
	// Sub says what it shows, Verdict how the last run was; ListHref leads to all.
	Sub, ListHref string
	// LeftOut is how many shards have no row.
	LeftOut int
	Grouped bool // some runs are
	// Lacks says which columns of a run the trace database has not; empty for none.
	Lacks string
}
