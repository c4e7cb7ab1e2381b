// Package registries is the pages about registries: the list, with the
// form to enter one, and the one that asks before it is removed.
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
	RemoveHref               string // empty if it cannot be removed
	Current                  bool
}

// ListProps is the list.
type ListProps struct {
	Frame   layout.Frame
	Notices []ui.Notice
	Rows    []Row
	// Form is nil for who may not enter one.
	Form *Form
}

// Form is what was typed, without the digest.
type Form struct{ Name, Servers, Namespace string }

// RemoveProps asks before a registry is removed.
type RemoveProps struct {
	Frame        layout.Frame
	Name, Action string
}

// What the form shows and takes as it stands in a configuration, in every language.
const (
	exampleServers   = "zk1:2181,zk2:2181"
	exampleNamespace = "team/billing"
)

var acls = []string{"digest", "x509", "open"}
