package quartz

import (
	"fmt"
	"strings"
)

// listed25 is the error for a list that 2.3 and 2.4 refuse and 2.5 accepts.
const listed25 = "L cannot be part of a list (Quartz 2.5 would accept it; 2.3 and 2.4 do not)"

// Quartz25 returns how Quartz 2.5 interprets the expression differently from 2.3 and 2.4, one
// sentence per difference, or nothing. Java agents use the Quartz of their class path, and Spring
// Boot 3.5 brings 2.5. If there's a difference, a job's agents don't fire at the same instants.
func (e *Expression) Quartz25() []string {
	var differences []string
	if fields := len(splitFields(e.text)); fields > fieldCount {
		differences = append(differences, fmt.Sprintf(
			"Quartz 2.5 refuses it, because it has %d fields: 2.3 and 2.4 ignore what follows the seventh", fields))
	}
	if e.nearestWeekday && !e.lastOfMonth && !e.byWeekday {
		if day := e.sets[dayOfMonth].first(); day > 28 {
			differences = append(differences, fmt.Sprintf(
				"Quartz 2.5 does not fire by %dW in months without a day %d: 2.3 and 2.4 may take their last day", day, day))
		}
	}
	return differences
}

// splitFields splits an upper-case expression at blanks and tabs.
func splitFields(expr string) []string {
	return strings.FieldsFunc(upperUnits(expr), func(r rune) bool { return r == ' ' || r == '\t' })
}
