// Package pages are the server-rendered pages of the console, a file per page. All
// their routes stand in routes.go; the core of the console mounts them.
//
//	GET /jobs ──► guard of the core ──► Pages.jobsPage ──► ReadJobs, ReadLastRuns
//	                                          │
//	          Props (plain struct) ◄── jobsProps ──► Render ──► templ component ──► HTML
//
//	POST /jobs/x/disable ──► Submit ──► 303 back, with the outcome as a message there
//
// A handler reads, a function without side effects makes the view model of what was
// read, and a component of web/templates draws it. Links are paths of the console;
// they get the base path and the registry when the component writes them.
//
// It knows nothing of the REST interface.
package pages
