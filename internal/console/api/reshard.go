package api

// Reshard predicts the owners of a job's shards, or of some of them:
// Moves, Owners and Waits are about the shards from From on, at most as many as
// the request's limit.
type Reshard struct {
	JobName  string `json:"jobName"`
	Reshards bool   `json:"reshards"`
	Reason   string `json:"reason"`
	// MoveCount and WaitCount are about all shards.
	MoveCount int      `json:"moveCount"`
	WaitCount int      `json:"waitCount"`
	From      int      `json:"from"`
	Moves     []Move   `json:"moves"`
	Owners    []string `json:"owners"`
	Instances []string `json:"instances"`
	Waits     []int    `json:"waits"`
	// Next is the from of the next part; absent at the end.
	Next *int `json:"next,omitempty"`
}

type Move struct {
	Item int    `json:"item"`
	From string `json:"from"`
	To   string `json:"to"`
}
