package layout

import (
	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Question asks before an action.
type Question struct {
	Effects []string
	Targets []Targets
	// Refused is the reason why the action is impossible, under a heading of its own or the usual
	// one; there is no form then, but a link back, and to the action that must come first.
	Impossible, Refused string
	Back, BackLabel     string
	First               *ui.Button
	// Action is the target of the form, Verb its button, and Return the page to return to.
	Action, Verb, Return string
	// Harmless: the action can be undone.
	Harmless bool
	// Fields are more fields of the form; nil for none.
	Fields templ.Component
	// TypeName is a name to type, if it isn't empty. Typed is another text that was typed, and
	// Error the reason why it isn't enough.
	TypeName, Typed, Error string
	Curl                   string
}

// Targets are names that an action reaches or skips.
type Targets struct {
	Heading, TestID string
	Names           []string
}

// mostTargets is how many names a page lists.
const mostTargets = 40

func (t Targets) shown() int { return min(mostTargets, len(t.Names)) }
