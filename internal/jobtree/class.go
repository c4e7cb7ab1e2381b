package jobtree

import "strings"

// lambdaMark is in the class name of a Java lambda. The rest of the name differs with every start,
// so agents cut it off: up to 3.0.4 behind one more dollar sign, from 3.0.5 on behind the mark
// itself.
const lambdaMark = "$$Lambda"

// SameClass reports whether two class names mean the same job: equal, or given by different
// releases of ElasticJob to one lambda.
func SameClass(a, b string) bool {
	return a == b || lambdaOf(a) != "" && lambdaOf(a) == lambdaOf(b)
}

// lambdaOf returns the class that contains a lambda. It's empty if the name isn't a lambda's.
func lambdaOf(class string) string {
	outer, found := strings.CutSuffix(strings.TrimSuffix(class, "$"), lambdaMark)
	if !found {
		return ""
	}
	return outer
}
