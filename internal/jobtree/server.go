package jobtree

import "github.com/elasticjob-go/elasticjob/jobconfig"

// ServerIsEnabled reports whether agents treat the server with this data as enabled. Since
// ElasticJob 3.0.2 that needs the exact text ENABLED; agents of 2.1.x accept anything but DISABLED.
func ServerIsEnabled(data []byte, g jobconfig.Generation) bool {
	if g == jobconfig.Generation2x {
		return string(data) != ServerDisabled
	}
	return string(data) == ServerEnabled
}

// ServerValue is the data that enables or disables a server. It differs between generations: an
// agent of 3.x accepts the empty text of 2.1.x for neither state, and waits a second at every
// check.
func ServerValue(enabled bool, g jobconfig.Generation) []byte {
	switch {
	case !enabled:
		return []byte(ServerDisabled)
	case g == jobconfig.Generation2x:
		return []byte{}
	default:
		return []byte(ServerEnabled)
	}
}
