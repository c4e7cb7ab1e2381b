// Package rest is the REST interface of the console, a file per resource. All its
// routes stand in routes.go; the core of the console mounts them, and decides who
// may call them and which registry they are about.
//
//	GET /api/jobs ──► guard of the core ──► API.jobs ──► ReadJobs ──► api.Job ──► app.WriteJSON
//	                                                                               │
//	      Authorization: Bearer …  ◄── the body, with a true status ───────────────┤
//	      Access-Token: …          ◄── the envelope of ElasticJob 3.x, status 200 ─┘
//
// Guarantees:
//
//   - The OpenAPI document at /api/openapi.json is made of the route table, of
//     operations.go and of the types of the bodies; tests hold each route to every
//     answer that it documents.
//   - Paths, verbs and bodies of ElasticJob 2.x and 3.x work; what is more than they
//     know stands beside it.
//   - No secret is shown, and a guest sees values of configurations masked.
//
// It knows nothing of the pages.
package rest
