package api

import "github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"

// CloudImportRequest is the body of a request for an import: the tree of a registry, or a tree
// that the caller has read.
type CloudImportRequest struct {
	Registry  string        `json:"registry,omitempty"`
	Namespace string        `json:"namespace,omitempty"`
	Tree      *zkstore.Tree `json:"tree,omitempty"`
	Apps      []string      `json:"apps,omitempty"`
	Disabled  bool          `json:"disabled,omitempty"`
	DryRun    bool          `json:"dryRun,omitempty"`
}
