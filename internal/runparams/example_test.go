package runparams_test

import (
	"fmt"
	"log"
	"reflect"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// The schema of a struct checks parameters from others.
func Example() {
	type report struct {
		Month   string   `json:"month" param:"required;pattern=^\\d{4}-(0[1-9]|1[0-2])$"`
		Tenants []string `json:"tenants,omitempty" param:"maxItems=100"`
		Size    int      `json:"size" param:"min=1;max=100;default=10"`
		Token   string   `json:"token" param:"secret"`
	}
	schema, text, err := runparams.Of(reflect.TypeFor[report]())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(text) > 0, string(schema.Property("size").Default))
	fmt.Println(schema.Check([]byte(`{"month":"2026-13","tenants":["a",7],"sise":0}`)))
	params := []byte(`{"month":"2026-10","token":"hunter2"}`)
	fmt.Println(schema.Check(params))
	fmt.Println(string(schema.Defaults(schema.Mask(params))))
	// Output:
	// true 10
	// parameters refused: month: "2026-13" is not allowed; want text that matches ^\d{4}-(0[1-9]|1[0-2])$; tenants[1]: 7 is not allowed; want a text; sise: is unknown; did you mean size?
	// <nil>
	// {"month":"2026-10","token":"***","size":10}
}
