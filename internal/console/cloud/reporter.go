package cloud

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// CloudReporter finds out which process of a DAEMON job asks, by the token of its header
// Authorization: no session and no account counts, and no other header. It says why not.
func reporterOf(s *console.Console, c *gin.Context, at *Cloud) (job string, shard int, err error) {
	who, ok := at.Engine.(cloud.Reporters)
	if can := at.Engine.Capabilities(); !ok || !can.Daemons || at.Record == nil {
		return "", 0, fmt.Errorf("reports need processes of DAEMON jobs, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	scheme, token, _ := strings.Cut(c.GetHeader("Authorization"), " ")
	if token = strings.TrimSpace(token); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return "", 0, cloudUnauthorized(auth.TokenMissing)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	job, shard, err = who.Reporter(ctx, token)
	if errors.Is(err, cloud.ErrRefused) && !errors.Is(err, cloud.ErrForbidden) {
		return "", 0, cloudUnauthorized(auth.TokenInvalid)
	}
	return job, shard, err
}

// cloudUnauthorized is the answer to a process without a token of its own.
func cloudUnauthorized(why auth.Denial) *console.Problem {
	return &console.Problem{
		Kind: console.KindUnauthorized, Code: string(why), Message: "This is no token of a process of a DAEMON job.",
		Hint: "Send the content of the file that ELASTICJOB_EVENTS_TOKEN_FILE names as Authorization: Bearer.",
	}
}

// CloudReportTooMany is the answer to a report with too many executions.
func reportTooMany() *console.Problem {
	return &console.Problem{
		Kind: console.KindTooLarge, Code: "too_large", Message: fmt.Sprintf("The report has more than %d executions.", event.MaxExecutions),
		Hint: "Send it in parts; nothing of it was taken.",
	}
}

// CloudReportForeign is the answer to a report about another job or shard.
func reportForeign(field console.FieldBody) *console.Problem {
	return &console.Problem{
		Kind: console.KindForbidden, Code: "forbidden", Message: "A process reports its own runs: " + field.Field + " is about another job or shard.",
		Hint: "Nothing was taken.", Fields: []console.FieldBody{field},
	}
}

// CloudReportMalformed is the answer to a report with values that cannot be.
func reportMalformed(fields []console.FieldBody) *console.Problem {
	p := invalid(fields...)
	p.Kind, p.Code, p.Hint = console.KindMalformed, "malformed", "Correct the fields; nothing of the report was taken."
	return p
}

// CloudReportTooOften is the answer to more rows than a job may have; wait is in seconds.
func reportTooOften(job string, wait int) *console.Problem {
	return &console.Problem{
		Kind: console.KindTooMany, Code: "too_often", Retry: wait, Message: fmt.Sprintf("Job %q reports more runs than are taken.", job),
		Hint: "Try again later, or have fewer of them reported: eventTraceSamplingCount of the application.",
	}
}

// CloudRowsAway is the answer while rows that are reported cannot be stored.
func RowsAway(cause error) *console.Problem {
	return &console.Problem{
		Kind: console.KindUnavailable, Code: "database_unavailable", Message: "The history cannot take rows at present.",
		Hint: "Keep the report and send it again; nothing of it was taken.", Retry: console.ReloadSeconds, Cause: cause,
	}
}
