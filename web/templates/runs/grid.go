package runs

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// GridProps is the last runs of a job by shard, a part of the job's page.
type GridProps struct {
	Grid chart.Grid
	Sub  string // what it shows
	// Ranges are which runs it can show, Empty stands there instead of them.
	Ranges []ui.Tab
	Empty  *ui.Empty
	// LeftOut is how many shards have no row.
	LeftOut int
	Grouped bool // some runs are
	// Lacks says which columns of a run the trace database has not; empty for none.
	Lacks string
}
