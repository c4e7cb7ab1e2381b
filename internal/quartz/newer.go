package quartz

import (
	"fmt"
	"strings"
)

// listed25 is what Quartz 2.5 says to a list that 2.3 and 2.4 refuse.
const listed25 = "L cannot be part of a list (Quartz 2.5 would accept it; 2.3 and 2.4 do not)"

// Quartz25 says in which respects Quartz 2.5 takes the expression for something
// else than Quartz 2.3 and 2.4, whose dialect is that of this package, one
// sentence each; nothing if it does not. Java agents bring the Quartz of their
// class path along, and Spring Boot 3.5 manages 2.5: where they differ, agents of
// one job do not fire at the same instants.
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

// splitFields splits an expression in capitals at blanks and tabs.
func splitFields(expr string) []string {
	return strings.FieldsFunc(upperUnits(expr), func(r rune) bool { return r == ' ' || r == '\t' })
}
