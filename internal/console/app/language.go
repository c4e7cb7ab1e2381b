package app

import (
	"net/http"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// LanguageCookie has the reader's choice of a language.
const LanguageCookie = "elasticjob_lang"

// LanguageRoute is where the reader chooses one.
const LanguageRoute = "/language"

// languageOf is the language of the answer: the reader's choice, else what the
// browser prefers. Answers of the REST interface are English.
func languageOf(r *http.Request) i18n.Lang {
	if SurfaceOf(r.URL.Path) == API {
		return i18n.English
	}
	if cookie, err := r.Cookie(LanguageCookie); err == nil {
		if l, ok := i18n.Parse(cookie.Value); ok {
			return l
		}
	}
	return i18n.Negotiate(r.Header.Get("Accept-Language"))
}
