// Package system is the pages about the console itself: what a reader sees when
// something is missing, forbidden or broken.
package system

import "github.com/elasticjob-go/elasticjob/web/templates/layout"

// ProblemProps is an error page: what happened, what to do, and the id to quote.
type ProblemProps struct {
	Frame     layout.Frame
	Status    int
	Code      string // what exactly it is, as the API calls it
	Heading   string
	Hint      string
	Asked     string // method and path
	RequestID string
	// Href and HrefLabel are the way out.
	Href, HrefLabel string
}
