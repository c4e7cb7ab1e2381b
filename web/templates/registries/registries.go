// Package registries is the pages about registries: the list, with the form to enter
// one, the form to change one, and the page that asks before one is removed.
package registries

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Row is one registry.
type Row struct {
	Name, Servers, Namespace string
	Digest                   string // "yes", "no"; unknown for that of the command line
	TLS                      bool
	Href                     string // its jobs
	State                    ui.State
	Jobs                     string
	// The addresses of its actions, empty if there are none.
	TestAction, EditHref, RemoveHref string
}

// ListProps is the list.
type ListProps struct {
	Frame   layout.Frame
	Tabs    []ui.Tab
	Notices []ui.Notice
	Rows    []Row
	// Form is nil for who may not enter one.
	Form *Form
}

// Form is what was typed, without secrets.
type Form struct {
	Name, Servers, Namespace, ACL string
	TLS                           bool
	ServerName, CA, Cert          string
	// Editing: the registry is there, with its secrets as Has… say.
	Editing           bool
	HasDigest, HasKey bool
	// Action and TestAction are where the form goes.
	Action, TestAction string
	// Verdict is what a test found; Anyway offers to store in spite of it.
	Verdict *ui.Note
	Anyway  bool
}

// EditProps is the form to change one.
type EditProps struct {
	Frame   layout.Frame
	Notices []ui.Notice
	Form    Form
	Curl    string
}

// RemoveProps asks before something that was entered is removed.
type RemoveProps struct {
	Frame                layout.Frame
	Name, Action         string
	ListLabel, ListHref  string
	Heading, Verb        string
	Effects              []string
	TypeName             string
	Wrong, Error, Cancel string
	Curl                 string
}

// What the form shows and takes as it stands in a configuration, in every language.
const (
	exampleServers   = "zk1:2181,zk2:2181"
	exampleNamespace = "team/billing"
)

var acls = []string{"digest", "x509", "open"}
