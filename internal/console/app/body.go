package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
)

// ReadJSON reads a request's body into v. Fields v does not have are ignored:
// ElasticJob's clients send more than we use.
func ReadJSON(c *gin.Context, v any) error {
	d := json.NewDecoder(c.Request.Body)
	var value json.RawMessage
	err := d.Decode(&value)
	if err == nil && string(value) != "null" {
		err = json.Unmarshal(value, v)
	}
	limit, exceeded := errors.AsType[*http.MaxBytesError](err)
	switch {
	case exceeded:
		return TooLarge(limit.Limit)
	case errors.Is(err, io.EOF):
		return Malformed("The request has no body.", "Send a JSON object.")
	case string(value) == "null":
		return Malformed("The body is null.", "Send a JSON object.")
	case err != nil:
		return Malformed("The body is not the JSON object expected here.", err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Malformed("There is more than one JSON value in the body.", "Send one object.")
	}
	return nil
}

// WriteJSON writes a body of the REST interface. Clients of ElasticJob 3.x get it in their
// envelope, with null where they have it.
func WriteJSON(c *gin.Context, status int, body any) {
	if Enveloped(c) {
		body = of3x(body)
		if !alwaysBare[c.FullPath()] {
			status, body = http.StatusOK, envelope{Success: true, Model: body}
		}
	}
	WriteBare(c, status, body)
}

// WriteBare writes a body of the API without an envelope, for every client.
func WriteBare(c *gin.Context, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("console: JSON of %T: %v", body, err)) // our own plain structs
	}
	c.Data(status, "application/json; charset=utf-8", append(text, '\n'))
}

// Answer writes a body with status 200, unless there was an error.
func Answer(c *gin.Context, body any, err error) error {
	if err == nil {
		WriteJSON(c, http.StatusOK, body)
	}
	return err
}

// Created answers that something was entered: with the entry, or true for clients of 3.x.
func Created(c *gin.Context, body any) {
	if Enveloped(c) {
		body = true
	}
	WriteJSON(c, http.StatusCreated, body)
}

// Removed answers that an entry was removed: with no content, or null for clients of 3.x.
func Removed(c *gin.Context) {
	if Enveloped(c) {
		WriteJSON(c, http.StatusOK, nil)
		return
	}
	c.Status(http.StatusNoContent)
}

// Done answers that an action was carried out: with no content, or true for clients of 3.x.
func Done(c *gin.Context) {
	if Enveloped(c) {
		WriteJSON(c, http.StatusOK, true)
		return
	}
	c.Status(http.StatusNoContent)
}

// jobOf3x, shardOf3x and serverJobOf3x have null where ElasticJob 3.x has it;
// other clients get the empty text.
type (
	jobOf3x struct {
		api.Job
		Cron OrNull `json:"cron"`
	}
	shardOf3x struct {
		api.Shard
		ServerIP   OrNull `json:"serverIp"`
		InstanceID OrNull `json:"instanceId"`
	}
	serverJobOf3x struct {
		api.ServerJob
		Cron OrNull `json:"cron"`
	}
)

// OrNull is a text that is null in JSON if it is empty.
type OrNull string

// MarshalJSON implements [json.Marshaler].
func (t OrNull) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// of3x is a body as clients of 3.x know it.
func of3x(body any) any {
	switch body := body.(type) {
	case []api.Job:
		return each3x(body, func(j api.Job) jobOf3x { return jobOf3x{j, OrNull(j.Cron)} })
	case []api.Shard:
		return each3x(body, func(s api.Shard) shardOf3x { return shardOf3x{s, OrNull(s.ServerIP), OrNull(s.InstanceID)} })
	case []api.ServerJob:
		return each3x(body, func(j api.ServerJob) serverJobOf3x { return serverJobOf3x{j, OrNull(j.Cron)} })
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

// nullable3x are the settings that are null in answers of ElasticJob 3.x if they have no value.
// ElasticJob doesn't store them then.
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
