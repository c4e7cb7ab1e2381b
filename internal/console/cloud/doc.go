// Package cloud is the part of the console about ElasticJob-Cloud, whose shards are processes: its
// actions, its REST interface and its pages.
//
//	service.go, document.go    applications and jobs: read, check, create, replace, switch, remove
//	apply.go, import.go        many documents together, and the tree of another scheduler
//	runs.go, counts.go         runs, logs, manifests; the counts of each minute
//	events.go                  reports of processes of DAEMON jobs
//	routes.go, api.go          the native addresses with their documentation
//	upstream*.go               the addresses of upstream's own scheduler
//	pages.go, page_*.go        the pages; their templates are in web/templates/cloudui
//
// A [handler] gets a call: the request with the service, the language, and the document or run in
// the address. Handlers treat applications and jobs alike, as a document.
package cloud
