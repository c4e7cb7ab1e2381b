package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
)

const viewsRoute = "/api/views"

// views answers with the views of a list, or of all lists, that the caller has.
func (s *API) views(c *gin.Context) {
	areas := query.Areas
	if area := c.Query("area"); area != "" {
		areas = []string{area}
	}
	bodies := []console.ViewBody{}
	for _, area := range areas {
		list, err := console.Views{Console: s.Console}.Read(c, area)
		if err != nil {
			s.Fail(c, err)
			return
		}
		for _, v := range list {
			bodies = append(bodies, console.ViewJSON(v))
		}
	}
	console.WriteJSON(c, http.StatusOK, bodies)
}

// addView saves a view.
func (s *API) addView(c *gin.Context) {
	var in console.ViewRequest
	if err := console.ReadJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	v, err := console.Views{Console: s.Console}.Add(c, in)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.Created(c, console.ViewJSON(v))
}

// removeView forgets the caller's view, or with shared everybody's.
func (s *API) removeView(c *gin.Context) {
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
		s.Fail(c, err)
		return
	}
	console.Removed(c)
}
