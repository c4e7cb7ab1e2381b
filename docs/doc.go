// Package docs embeds the documents that a console serves.
package docs

import _ "embed"

// OpenAPI describes the REST interface, and OpenAPILegacy the addresses that only clients of
// ElasticJob's own consoles need. A test in internal/console/rest writes both.
var (
	//go:embed openapi.json
	OpenAPI []byte
	//go:embed openapi-legacy.json
	OpenAPILegacy []byte
)
