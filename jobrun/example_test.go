package jobrun_test

import (
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Parameter problems are a list, so a form should show each next to its field.
func Example() {
	var err error = &jobrun.ParamsError{Problems: []jobrun.ParamProblem{
		{Path: "month", Text: "is missing"}, {Path: "tenants[3]", Text: "7 is not allowed; want a text"},
	}}
	fmt.Println(errors.Is(err, jobrun.ErrParams), jobrun.Failed.Ended(), jobrun.Queued.Ended())
	fmt.Println(err)
	// Output:
	// true true false
	// parameters refused: month: is missing; tenants[3]: 7 is not allowed; want a text
}
