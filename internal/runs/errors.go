package runs

// refusal is one of the errors of package jobrun in words that fit the case.
type refusal struct {
	kind error
	text string
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) Unwrap() error { return r.kind }
