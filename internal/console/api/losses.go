package api

// Loss is an instance that was lost.
type Loss struct {
	Instance string `json:"instanceId"`
	Server   string `json:"serverIp"`
	At       string `json:"at"`
	// Exit is lost, or unknown if a Java agent left while it was running shards.
	Exit string    `json:"exit"`
	Jobs []LossJob `json:"jobs"`
}

type LossJob struct {
	JobName string `json:"jobName"`
	// Items are the shards that the instance was running, Open the shards that still need an owner.
	Items []int `json:"items"`
	Open  []int `json:"open"`
}
