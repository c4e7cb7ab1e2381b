// Package reference is the part of the console about its REST interface: the OpenAPI documents and
// the pages that show them.
//
//	docs/openapi.json ────────┬──► GET /api/openapi.json, with the console's version and base path
//	docs/openapi-legacy.json ─┤
//	                          └──► pages: the list of operations, with a search, and one operation
//
// A test in internal/console/rest builds the documents from the routes and compares them with the
// files, so documents and pages can't differ from the routes.
package reference
