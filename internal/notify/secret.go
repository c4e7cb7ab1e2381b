package notify

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// masked stands where a secret was.
const masked = mask.Hidden

// site is what may be known of a webhook's address.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return masked
	}
	return u.Scheme + "://" + u.Host + "/" + masked
}

// scrubber removes a handler's secrets from texts.
type scrubber struct{ replacer *strings.Replacer }

// shortestSecret is the length in bytes from which a secret is looked for in texts. A shorter
// secret is a part of many words, so masking it would make every text unreadable.
const shortestSecret = 4

// newScrubber returns a scrubber for the values and every form in which a
// protocol or an error carries them.
func newScrubber(secrets ...string) scrubber {
	var forms []string
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		forms = append(forms, s, url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte(s)))
	}
	// At one position the first match wins, so longer ones come first.
	slices.SortFunc(forms, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(forms))
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, masked)
	}
	return scrubber{strings.NewReplacer(pairs...)}
}

// urlSecrets are the parts of a webhook's address that must not be shown.
func urlSecrets(address string) []string {
	secrets := []string{address}
	u, err := url.Parse(address)
	if err != nil {
		return secrets
	}
	if u.RawQuery != "" {
		secrets = append(secrets, u.RawQuery)
	}
	if len(u.Path) > 1 {
		secrets = append(secrets, u.Path)
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
	for key, values := range u.Query() {
		for _, value := range values {
			// A short value such as a version is no key, and masking it
			// would make every text unreadable.
			if len(value) >= 6 || key == "key" || key == "access_token" {
				secrets = append(secrets, value)
			}
		}
	}
	return secrets
}

func (s scrubber) text(text string) string { return s.replacer.Replace(text) }

func (s scrubber) error(err error) error {
	if err == nil {
		return nil
	}
	return &maskedError{text: s.text(err.Error()), err: err}
}

// maskedError hides what it wraps: the cause can be recognised, but not
// printed.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string        { return e.text }
func (e *maskedError) GoString() string     { return e.text }
func (e *maskedError) Is(target error) bool { return errors.Is(e.err, target) }
