package cloud

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// manifest is what the engine would make of the next run of a job.
func (a cloudAPI) manifest(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	text, err := at.Manifest(ctx, name, hidesSecrets(c), a.Now())
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "text/plain; charset=utf-8", text)
	return nil
}
