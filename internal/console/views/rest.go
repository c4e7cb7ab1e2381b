package views

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// list answers with the views of a list, or of all lists, that the caller has.
func (s service) list(c *gin.Context) error {
	areas := query.Areas
	if area := c.Query("area"); area != "" {
		areas = []string{area}
	}
	bodies := []api.View{}
	for _, area := range areas {
		saved, err := s.ReadViews(c, area)
		if err != nil {
			return err
		}
		for _, v := range saved {
			bodies = append(bodies, viewJSON(v))
		}
	}
	return app.Answer(c, bodies, nil)
}

// addView saves a view.
func (s service) addView(c *gin.Context) error {
	var in api.ViewRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	v, err := s.add(c, in)
	if err != nil {
		return err
	}
	app.Created(c, viewJSON(v))
	return nil
}

// removeView forgets the caller's view, or with shared everybody's.
func (s service) removeView(c *gin.Context) error {
	name, err := app.SettingName(c)
	shared := c.DefaultQuery("shared", "false")
	switch {
	case err != nil:
	case shared != "true" && shared != "false":
		err = app.Invalid("shared is neither true nor false.", "Nothing was changed.")
	default:
		err = s.remove(c, c.Param("area"), name, shared == "true")
	}
	if err != nil {
		return err
	}
	app.Removed(c)
	return nil
}

func viewJSON(v settings.View) api.View {
	return api.View{ViewRequest: api.ViewRequest{Area: v.Area, Name: v.Name, Query: v.Query, Shared: v.Owner == ""}, User: v.User, At: view.IsoTime(v.At)}
}
