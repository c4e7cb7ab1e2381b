package zkfake

import (
	"fmt"
	"strings"
)

// version is the server's name for itself, for clients that check.
const version = "3.8.0-zkfake, built on 02/25/2022 08:49 UTC"

// fourLetterWord answers the administrative commands that replace a handshake. ok is false if the
// stream begins with a frame instead.
func (s *Server) fourLetterWord(word string) (reply string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reply, ok := s.opts.Answers[word]; ok {
		return reply, true
	}
	switch word {
	case "ruok":
		return "imok", true
	case "srvr":
		st := s.statsLocked()
		return fmt.Sprintf("Zookeeper version: %s\nLatency min/avg/max: 0/0.0/0\nReceived: %d\nSent: %d\n"+
			"Connections: %d\nOutstanding: 0\nZxid: 0x%x\nMode: standalone\nNode count: %d\n",
			version, st.received(), st.received()+st.WatchEvents, st.Connections, s.zxid, st.Nodes), true
	case "mntr":
		return s.monitor(), true
	case "conf":
		return fmt.Sprintf("tickTime=%d\nmaxClientCnxns=0\nminSessionTimeout=%d\nmaxSessionTimeout=%d\n",
			s.opts.TickTime.Milliseconds(), s.opts.MinSessionTimeout.Milliseconds(), s.opts.MaxSessionTimeout.Milliseconds()), true
	}
	return "", false
}

func (st Stats) received() int {
	total := 0
	for _, n := range st.Ops {
		total += n
	}
	return total
}

// monitor answers mntr, with one name and value per line.
func (s *Server) monitor() string {
	st := s.statsLocked()
	size := 0
	for path, n := range s.tree.nodes {
		size += len(path) + len(n.data)
	}
	var b strings.Builder
	for _, line := range []struct {
		name  string
		value any
	}{
		{"version", version},
		{"server_state", "standalone"},
		{"avg_latency", "0.0"},
		{"max_latency", 0},
		{"min_latency", 0},
		{"outstanding_requests", 0},
		{"packets_received", st.received()},
		{"packets_sent", st.received() + st.WatchEvents},
		{"num_alive_connections", st.Connections},
		{"znode_count", st.Nodes},
		{"watch_count", st.Watches},
		{"ephemerals_count", st.Ephemerals},
		{"global_sessions", st.Sessions},
		{"approximate_data_size", size},
	} {
		fmt.Fprintf(&b, "zk_%s\t%v\n", line.name, line.value)
	}
	return b.String()
}
