package app

import (
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// EnvelopeType is what a client puts into Accept to get the envelope without
// sending an Access-Token.
const EnvelopeType = "application/vnd.elasticjob.envelope+json"

// envelope is the form of every answer that clients of ElasticJob's 3.x console
// know. Its HTTP status is always 200: those clients look inside.
type envelope struct {
	Success   bool    `json:"success"`
	ErrorCode int     `json:"errorCode"`
	ErrorMsg  *string `json:"errorMsg"`
	Model     any     `json:"model"`
}

// Enveloped reports whether the caller is a client of ElasticJob's 3.x console.
// This is the one place that decides; everybody else gets bare bodies with true
// status codes.
func Enveloped(c *gin.Context) bool {
	h := c.Request.Header
	if !strings.HasPrefix(c.Request.URL.Path, "/api/") || h.Get("Authorization") != "" {
		return false
	}
	_, sent := h["Access-Token"]
	return sent || strings.Contains(h.Get("Accept"), EnvelopeType)
}

// alwaysBare are the routes that 3.x answers without the envelope too.
var alwaysBare = map[string]bool{"/api/jobs/count": true, "/api/servers/count": true, "/api/data-source/activated": true}

// failure is a problem in the envelope.
func failure(p *Problem) envelope {
	message := strings.TrimSpace(p.Message + FieldsText(i18n.English, p.Fields) + " " + p.Hint)
	return envelope{ErrorCode: statuses[p.Kind].envelope, ErrorMsg: &message}
}

// mostNamed is how many fields a message names: clients of 3.x show it for two
// seconds.
const mostNamed = 5

// FieldsText is what the body of an error says by fields as a part of its
// message, because a client of 3.x shows the message only.
func FieldsText(l i18n.Lang, fields []FieldBody) string {
	var b strings.Builder
	for _, f := range fields[:min(mostNamed, len(fields))] {
		b.WriteByte(' ')
		if f.Value != "" {
			b.WriteString(l.WantFieldsIs(f.Field, strconv.Quote(f.Value), WantIn(l, f.Want)))
		} else {
			b.WriteString(l.WantFieldsWant(f.Field, WantIn(l, f.Want)))
		}
	}
	if more := len(fields) - mostNamed; more > 0 {
		b.WriteString(" " + l.WantFieldsMore(more))
	}
	return b.String()
}
