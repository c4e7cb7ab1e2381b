package api

// AuditRecord is a record of the audit.
type AuditRecord struct {
	ID        int64  `json:"id"`
	At        string `json:"at"`
	User      string `json:"user"`
	Role      string `json:"role"`
	Remote    string `json:"remote"`
	Action    string `json:"action"`
	Registry  string `json:"registry,omitempty"`
	Target    string `json:"target,omitempty"`
	Outcome   string `json:"outcome"`
	Status    int    `json:"status"`
	RequestID string `json:"requestId"`
	Detail    string `json:"detail,omitempty"`
}
