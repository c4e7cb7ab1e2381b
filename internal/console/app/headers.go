package app

import (
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"
)

// IdempotencyKey is the key of a request, empty if there is none.
func IdempotencyKey(c *gin.Context) (string, error) {
	const name = "Idempotency-Key"
	key := c.GetHeader(name)
	if _, there := c.Request.Header[name]; there && key == "" {
		return "", WrongRequest([]FieldBody{{Field: name, Want: "a text that isn't empty; leave the header out for none"}})
	}
	return key, nil
}

// WrongRequest refuses a request for a run because of its fields.
func WrongRequest(fields []FieldBody) *Problem {
	message := "One field of the request cannot be taken."
	if len(fields) > 1 {
		message = fmt.Sprintf("%d fields of the request cannot be taken.", len(fields))
	}
	p := Invalid(message, "Correct the request. Nothing was requested.")
	p.Fields = fields
	return p
}

// IfMatch reads a header If-Match: the revision that it names, "" for any.
func IfMatch(header string) (string, error) {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return "", nil
	}
	revision := strings.Trim(header, `"`)
	if len(revision) != len(header)-2 || revision == "" || strings.ContainsAny(revision, `",`) {
		return "", Malformed("The header If-Match is not one ETag.", "Send the ETag of the GET that it is based on as it was, in quotes.")
	}
	return revision, nil
}
