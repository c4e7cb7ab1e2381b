// Package tokens is the pages about tokens for programs: the list with the form to create
// one, the token that is shown once, and the page that asks before one is revoked.
package tokens

import (
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Row is one token.
type Row struct {
	Name, Scope, Jobs, User string
	Created, Expires, Used  ui.Time
	Expired, Unused         bool
	RevokeHref              string
}

// ListProps is the list. Everyone: it has the tokens of all accounts.
type ListProps struct {
	Frame    layout.Frame
	Tabs     []ui.Tab
	Notices  []ui.Notice
	Rows     []Row
	Everyone bool
	// Made is the token that was created just now, nil if none was.
	Made *Made
	// Form is nil if the console keeps no tokens.
	Form *Form
}

func (p ListProps) sub(t i18n.Lang) string {
	if p.Everyone {
		return t.TokensSubAll()
	}
	return t.TokensSub()
}

// Made is a token with its secret.
type Made struct{ Name, Token, Try string }

// Form is the form to create a token, with the values that were typed.
type Form struct {
	Name, Scope, Jobs, Days string
	Scopes                  []string
	Curl                    string
}

// days are the lifetimes to choose from.
var days = []int{7, 30, 90, 180, 365}

// DefaultDays is chosen in an empty form.
const DefaultDays = "90"

// scopeLabels are the scopes with their rights.
var scopeLabels = map[string]func(i18n.Lang) string{
	"read": i18n.Lang.TokensScopeRead, "operate": i18n.Lang.TokensScopeOperate, "configure": i18n.Lang.TokensScopeConfigure,
}

func dayValue(n int) string { return strconv.Itoa(n) }

// jobsOf names the jobs of a pattern.
func jobsOf(t i18n.Lang, pattern string) string {
	if pattern == "*" {
		return t.TokensAllJobs()
	}
	return pattern
}

// RevokeProps asks before a token is revoked.
type RevokeProps struct {
	Frame   layout.Frame
	Name    string
	Action  string
	Effects []string
	Curl    string
}
