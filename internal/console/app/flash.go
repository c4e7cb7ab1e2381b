package app

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// FlashCookie carries one message across the redirect after an action.
const FlashCookie = "elasticjob_flash"

// maxFlash bounds a message in bytes: browsers refuse cookies above 4 KB, and
// this grows by a third when it is encoded. Nobody reads forty lines at the top
// of a page either.
const maxFlash = 2400

// SetFlash leaves a message for the next page. It is signed, so that another
// site's cookie cannot put words into the console's mouth; templates escape it
// like any other text.
func (s *Console) SetFlash(c *gin.Context, f ui.Flash) {
	text := fitFlash(f)
	s.Cookie(c, FlashCookie, encode(s.sign(text))+"."+encode(text), 60)
}

// fitFlash is the message as JSON, with as many of its lines as fit.
func fitFlash(f ui.Flash) []byte {
	f.Title = view.Clip(f.Title, 400)
	all := f.Lines
	for keep := min(len(all), 12); ; keep-- {
		f.Lines = nil
		for _, line := range all[:keep] {
			f.Lines = append(f.Lines, view.Clip(line, 200))
		}
		if more := len(all) - keep; more > 0 {
			f.Lines = append(f.Lines, fmt.Sprintf("and %d more", more))
		}
		text, err := json.Marshal(f)
		if err != nil {
			panic(fmt.Sprintf("console: flash: %v", err)) // strings always marshal
		}
		if len(text) <= maxFlash || keep == 0 {
			return text
		}
	}
}

// takeFlash returns the message left for this page and removes it.
func (s *Console) takeFlash(c *gin.Context) *ui.Flash {
	cookie, err := c.Request.Cookie(FlashCookie)
	if err != nil || cookie.Value == "" {
		return nil
	}
	s.ClearCookie(c, FlashCookie)
	mac, text, ok := strings.Cut(cookie.Value, ".")
	if !ok {
		return nil
	}
	sum, err1 := decode(mac)
	body, err2 := decode(text)
	if err1 != nil || err2 != nil || !hmac.Equal(sum, s.sign(body)) {
		return nil
	}
	var f ui.Flash
	if json.Unmarshal(body, &f) != nil {
		return nil
	}
	return &f
}

func (s *Console) sign(text []byte) []byte { return s.Auth.Sign("flash:", text) }

func encode(b []byte) string          { return base64.RawURLEncoding.EncodeToString(b) }
func decode(s string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(s) }
