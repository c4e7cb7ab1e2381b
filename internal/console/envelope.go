package console

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// envelopeType is what a client puts into Accept to get the envelope without
// sending an Access-Token.
const envelopeType = "application/vnd.elasticjob.envelope+json"

// envelope is the form of every answer that clients of ElasticJob's 3.x console
// know. Its HTTP status is always 200: those clients look inside.
type envelope struct {
	Success   bool    `json:"success"`
	ErrorCode int     `json:"errorCode"`
	ErrorMsg  *string `json:"errorMsg"`
	Model     any     `json:"model"`
}

// enveloped reports whether the caller is a client of ElasticJob's 3.x console.
// This is the one place that decides; everybody else gets bare bodies with true
// status codes.
func enveloped(c *gin.Context) bool {
	h := c.Request.Header
	if !strings.HasPrefix(c.Request.URL.Path, "/api/") || h.Get("Authorization") != "" {
		return false
	}
	_, sent := h["Access-Token"]
	return sent || strings.Contains(h.Get("Accept"), envelopeType)
}

// alwaysBare are the routes that 3.x answers without the envelope too.
var alwaysBare = map[string]bool{"/api/jobs/count": true, "/api/servers/count": true, "/api/data-source/activated": true}

// failure is a problem in the envelope. The codes are those that 3.x has, and
// for what it has no code for, the HTTP status. A client of 3.x takes 403 for
// "sign in again", so a role that does not suffice must be something else.
func failure(p *problem) envelope {
	code := p.status
	switch p.status {
	case http.StatusUnauthorized:
		code = http.StatusForbidden
	case http.StatusForbidden:
		code = http.StatusInternalServerError
	case http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		code = http.StatusBadRequest
	}
	message := strings.TrimSpace(p.message + " " + p.hint)
	return envelope{ErrorCode: code, ErrorMsg: &message}
}

// done answers an order that has nothing to tell but that it was carried out.
func done(c *gin.Context) {
	if enveloped(c) {
		writeJSON(c, http.StatusOK, true)
		return
	}
	c.Status(http.StatusNoContent)
}
