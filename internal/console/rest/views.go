package rest

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
)

const viewsRoute = "/api/views"

// views answers with the views of a list, or of all lists, that the caller has.
func (s *API) views(c *gin.Context) error {
	areas := query.Areas
	if area := c.Query("area"); area != "" {
		areas = []string{area}
	}
	bodies := []api.View{}
	for _, area := range areas {
		list, err := console.Views{Console: s.Console}.Read(c, area)
		if err != nil {
			return err
		}
		for _, v := range list {
			bodies = append(bodies, console.ViewJSON(v))
		}
	}
	return console.Answer(c, bodies, nil)
}

// addView saves a view.
func (s *API) addView(c *gin.Context) error {
	var in api.ViewRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	v, err := console.Views{Console: s.Console}.Add(c, in)
	if err != nil {
		return err
	}
	console.Created(c, console.ViewJSON(v))
	return nil
}

// removeView forgets the caller's view, or with shared everybody's.
func (s *API) removeView(c *gin.Context) error {
	name, err := console.SettingName(c)
	shared := c.DefaultQuery("shared", "false")
	switch {
	case err != nil:
	case shared != "true" && shared != "false":
		err = console.Invalid("shared is neither true nor false.", "Nothing was changed.")
	default:
		err = console.Views{Console: s.Console}.Remove(c, c.Param("area"), name, shared == "true")
	}
	if err != nil {
		return err
	}
	console.Removed(c)
	return nil
}
