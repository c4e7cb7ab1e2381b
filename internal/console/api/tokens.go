package api

// TokenRequest makes a token for programs.
type TokenRequest struct {
	Name string `json:"name"`
	// Scope is read, operate or configure.
	Scope string `json:"scope"`
	// Jobs is the pattern of the jobs that the token is for; empty for all.
	Jobs string `json:"jobs"`
	// ExpiresAt is an instant of RFC 3339; empty for in 90 days.
	ExpiresAt string `json:"expiresAt"`
}

// Token is a token for programs, without its secret.
type Token struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Scope     string `json:"scope"`
	Jobs      string `json:"jobs"`
	User      string `json:"user"`
	CreatedAt string `json:"createdAt"`
	ExpiresAt string `json:"expiresAt"`
	Expired   bool   `json:"expired"`
	// LastUsedAt is written at most once a minute; empty if the token was never used.
	LastUsedAt string `json:"lastUsedAt,omitempty"`
}

// NewToken is a token that was made just now. No other answer has its text.
type NewToken struct {
	Token
	Text    string `json:"token"`
	Warning string `json:"warning,omitempty"`
}
