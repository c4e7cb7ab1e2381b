package jobtree

import "strings"

// lambdaMark is in the class name of a Java lambda. What follows it differs with
// every start, so agents cut the name there: up to 3.0.4 behind one more dollar
// sign, from 3.0.5 on behind the mark itself.
const lambdaMark = "$$Lambda"

// SameClass reports whether two class names are those of the same job: equal, or
// those that different releases of ElasticJob give to one lambda.
func SameClass(a, b string) bool {
	return a == b || lambdaOf(a) != "" && lambdaOf(a) == lambdaOf(b)
}

// lambdaOf is the class in which a lambda stands, empty if the name is that of no
// lambda.
func lambdaOf(class string) string {
	outer, found := strings.CutSuffix(strings.TrimSuffix(class, "$"), lambdaMark)
	if !found {
		return ""
	}
	return outer
}
