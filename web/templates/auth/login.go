// Package auth is the login page.
package auth

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// LoginProps is the login page.
type LoginProps struct {
	Frame layout.Frame
	// Notice says why the reader is here: expired, wrong password, throttled.
	Notice *ui.Notice
	// Username is what was typed before; the password never comes back.
	Username string
	// Next is where to go after signing in.
	Next string
	// Elsewhere is another way to sign in; nil if there is none.
	Elsewhere *Elsewhere
}

// Elsewhere is a provider that can say who the reader is.
type Elsewhere struct {
	// Name is what people call it, Href where it begins.
	Name, Href string
	// Trouble is why it could not be used lately, empty if it could.
	Trouble string
}
