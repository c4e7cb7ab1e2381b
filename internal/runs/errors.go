package runs

// refusal is one of package jobrun's errors with a specific text.
type refusal struct {
	kind error
	text string
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) Unwrap() error { return r.kind }
