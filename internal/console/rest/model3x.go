package rest

import (
	"encoding/json"
	"maps"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
)

// writeModel writes a body of the API: in the envelope, and with null where they
// have it, for clients of ElasticJob 3.x.
func writeModel(c *gin.Context, status int, body any) {
	if console.Enveloped(c) {
		body = of3x(body)
	}
	console.WriteJSON(c, status, body)
}

// jobOf3x, shardOf3x and serverJobOf3x have null where ElasticJob 3.x has it;
// other clients get the empty text.
type (
	jobOf3x struct {
		api.Job
		Cron orNull `json:"cron"`
	}
	shardOf3x struct {
		api.Shard
		ServerIP   orNull `json:"serverIp"`
		InstanceID orNull `json:"instanceId"`
	}
	serverJobOf3x struct {
		api.ServerJob
		Cron orNull `json:"cron"`
	}
)

// orNull is a text whose JSON is null when it is empty.
type orNull string

// MarshalJSON implements [json.Marshaler].
func (t orNull) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// of3x is a body as clients of 3.x know it.
func of3x(body any) any {
	switch body := body.(type) {
	case []api.Job:
		return each3x(body, func(j api.Job) jobOf3x { return jobOf3x{j, orNull(j.Cron)} })
	case []api.Shard:
		return each3x(body, func(s api.Shard) shardOf3x { return shardOf3x{s, orNull(s.ServerIP), orNull(s.InstanceID)} })
	case []api.ServerJob:
		return each3x(body, func(j api.ServerJob) serverJobOf3x { return serverJobOf3x{j, orNull(j.Cron)} })
	case editor.Body:
		with := maps.Clone(body)
		for _, key := range nullable3x {
			if with[key] == "" {
				with[key] = nil
			}
		}
		return with
	}
	return body
}

// nullable3x are the settings that ElasticJob 3.x has as null, and does not
// store, when they say nothing.
var nullable3x = []string{
	"cron", "timeZone", "jobShardingStrategyType", "jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType", "jobErrorHandlerType", "label",
}

func each3x[A, B any](list []A, of func(A) B) []B {
	all := make([]B, len(list))
	for i, a := range list {
		all[i] = of(a)
	}
	return all
}
