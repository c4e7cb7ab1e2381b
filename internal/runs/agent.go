package runs

import (
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// AgentData is the data of an agent's node, written as words: "go runs=1 debug=all
// parallel=2". Readers skip words that they don't know.
type AgentData struct {
	// TakesRuns is false for agents from before requested runs.
	TakesRuns bool
	// Debug names the work that the process doesn't begin on its own, with the words of a
	// hold; "" for none.
	Debug string
	// MaxParallel is how many handlers the process runs at once; 0 for no limit.
	MaxParallel int
}

// Encode returns the data of the node.
func (a AgentData) Encode() []byte {
	text := "go"
	if a.TakesRuns {
		text += " runs=1"
	}
	if a.Debug != "" {
		text += " debug=" + a.Debug
	}
	if a.MaxParallel > 0 {
		text += " parallel=" + strconv.Itoa(a.MaxParallel)
	}
	return []byte(text)
}

// ParseAgent reads the data of an agent's node.
func ParseAgent(data []byte) (a AgentData) {
	for _, word := range strings.Fields(string(data)) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "runs":
			a.TakesRuns = value == "1"
		case "debug":
			a.Debug = value
		case "parallel":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				a.MaxParallel = n
			}
		}
	}
	return a
}

// heldBack reports whether the process doesn't begin a request on its own.
func (a AgentData) heldBack(r jobtree.RunRequest) bool {
	return a.Debug != "" && HeldBack(jobtree.Hold{What: a.Debug}, r)
}
