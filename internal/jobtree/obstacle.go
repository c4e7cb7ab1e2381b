package jobtree

import (
	"encoding/json"
	"strings"
	"time"
)

type ObstacleCode string

// The codes.
const (
	ObstacleConflict            ObstacleCode = "CONFLICT"              // the name belongs to a job of another class
	ObstacleExecutorUnknown     ObstacleCode = "EXECUTOR_UNKNOWN"      // the program lacks the executor type
	ObstacleListenerUnknown     ObstacleCode = "LISTENER_UNKNOWN"      // the program lacks the listener
	ObstacleErrorHandlerUnknown ObstacleCode = "ERROR_HANDLER_UNKNOWN" // the program lacks the error handler
	ObstacleStrategyUnknown     ObstacleCode = "STRATEGY_UNKNOWN"      // the leader's program lacks the sharding strategy
	ObstacleAssigning           ObstacleCode = "ASSIGNING"             // the leader can't assign the shards
	ObstacleControl             ObstacleCode = "CONTROL"               // the agent can't follow the job in ZooKeeper
	ObstacleForbidden           ObstacleCode = "FORBIDDEN"             // ZooKeeper refuses the agent's credentials
	ObstacleBroken              ObstacleCode = "BROKEN"                // the agent's part for the job panicked
	ObstacleNotBegun            ObstacleCode = "NOT_BEGUN"             // a run failed before it called a handler
	ObstacleHandlerHangs        ObstacleCode = "HANDLER_HANGS"         // a handler's context ended long ago, and it hasn't returned
	ObstacleListenerHangs       ObstacleCode = "LISTENER_HANGS"        // a listener was called long ago and hasn't returned
	ObstacleListenerFails       ObstacleCode = "LISTENER_FAILS"        // the last call of a listener failed, and the run went on
	ObstacleErrorHandlerHangs   ObstacleCode = "ERROR_HANDLER_HANGS"   // the error handler was called long ago and hasn't returned
	ObstacleNoPlace             ObstacleCode = "NO_PLACE"              // MaxParallel other handlers run in the process
	ObstacleDebug               ObstacleCode = "DEBUG"                 // the process doesn't run the schedule on its own
)

// Obstacle is the reason why one of our agents doesn't serve or run a job. It's the data of
// [Job.Refusal]. The obstacle's time is the node's creation, or Since. The zero value means none.
type Obstacle struct {
	Code ObstacleCode `json:"code"`
	// Text is the agent's own explanation.
	Text string `json:"text"`
	// Shards are the waiting shards, separated by commas. It's empty if the obstacle isn't about
	// some shards, or if they are unknown or too many.
	Shards string `json:"shards,omitempty"`
	// Since is when the hanging call began, in milliseconds since 1970; 0 if the obstacle isn't about
	// a call.
	Since int64 `json:"since,omitempty"`
}

const maxObstacle = 2000 // bytes

// NewObstacle returns an obstacle with its text cut to the bound.
func NewObstacle(code ObstacleCode, text string) Obstacle {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) > maxObstacle {
		text = strings.ToValidUTF8(text[:maxObstacle], "") + "…"
	}
	return Obstacle{Code: code, Text: text}
}

// mostWaiting is the highest number of shards listed by an obstacle.
const mostWaiting = 100

// For returns the obstacle with its waiting shards.
func (o Obstacle) For(shards []int) Obstacle {
	if len(shards) > mostWaiting {
		return o
	}
	o.Shards = strings.Join(ItemNames(shards), ",")
	return o
}

// From returns the obstacle of a call that began at a time.
func (o Obstacle) From(began time.Time) Obstacle {
	o.Since = began.UnixMilli()
	return o
}

// Waiting returns the waiting shards, if the obstacle lists them.
func (o Obstacle) Waiting() []int { return ItemNumbers(strings.Split(o.Shards, ",")) }

func (o Obstacle) Encode() ([]byte, error) { return json.Marshal(o) }

// DecodeObstacle reads the node's data. Any other data is the reason of a conflict, as earlier
// agents wrote it.
func DecodeObstacle(data []byte) Obstacle {
	var o Obstacle
	if err := json.Unmarshal(data, &o); err != nil || o.Code == "" {
		return Obstacle{Code: ObstacleConflict, Text: string(data)}
	}
	return o
}
