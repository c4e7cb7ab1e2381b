package jobtree

import "github.com/elasticjob-go/elasticjob/jobconfig"

// ServerIsEnabled reports whether agents take the server with this data for
// enabled. Since ElasticJob 3.0.2 that needs the exact text ENABLED; agents of
// 2.1.x take anything but DISABLED.
func ServerIsEnabled(data []byte, g jobconfig.Generation) bool {
	if g == jobconfig.Generation2x {
		return string(data) != ServerDisabled
	}
	return string(data) == ServerEnabled
}

// ServerValue is the data to store in a server node to switch it. It differs
// between generations: an agent of 3.x takes the empty text of 2.1.x for
// neither, and waits a second at every look.
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
