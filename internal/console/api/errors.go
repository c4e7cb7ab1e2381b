package api

// ErrorBody is the answer with every status from 400 on.
type ErrorBody struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
	RequestID string `json:"requestId"`
	// Fields are the fields of the request that are refused.
	Fields []FieldBody `json:"fields,omitempty"`
	// Stored is the configuration that is there now, if another one was expected.
	Stored any `json:"stored,omitempty"`
}

// FieldBody is a field of a request that is refused.
type FieldBody struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Want  string `json:"want"`
}
