package rest

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
)

// registerApp stores an application of upstream's document.
func (a cloudAPI) registerApp(c *gin.Context, at *console.Cloud) error {
	document, err := upstreamDocument(c, cloud.App{})
	if err != nil {
		return err
	}
	withoutSwitches(document)
	app := cloud.NewApp("")
	if err := putFields(document, &app, func(string) {}); err != nil {
		return err
	}
	made, err := a.addApp(c, at, app)
	if err != nil {
		return err
	}
	return yes(c, appJSON(c, at, made).Warnings...)
}

// updateApp changes the application that the document names.
func (a cloudAPI) updateApp(c *gin.Context, at *console.Cloud) error {
	document, err := upstreamDocument(c, cloud.App{})
	if err != nil {
		return err
	}
	withoutSwitches(document)
	name, err := namedIn(document, "appName")
	if err != nil {
		return err
	}
	a.Note(c, slog.String("target", name))
	whole, err := replaces(c)
	if err != nil {
		return err
	}
	stored, err := a.readApp(c, at, name)
	if err != nil {
		return err
	}
	wanted := stored.Clone()
	if whole {
		wanted = cloud.NewApp(name)
		wanted.Disabled, wanted.Running = stored.Disabled, stored.Running
	}
	if err := putFields(document, &wanted, func(field string) {
		if field == "env" {
			wanted.Env = nil
		}
	}); err != nil {
		return err
	}
	changed, err := a.storeApp(c, at, stored, wanted)
	if err != nil {
		return err
	}
	return yes(c, appJSON(c, at, changed).Warnings...)
}

// upstreamAppBody has all fields of upstream's applications, with the empty ones.
type upstreamAppBody struct {
	cloudAppBody
	URL             string `json:"appURL"`
	BootstrapScript string `json:"bootstrapScript"`
}

func upstreamApp(body cloudAppBody) upstreamAppBody {
	return upstreamAppBody{body, body.URL, body.BootstrapScript}
}

func (a cloudAPI) upstreamApps(c *gin.Context, at *console.Cloud) error {
	return listApps(c, at, upstreamApp)
}

func (a cloudAPI) upstreamAppDetail(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	app, err := a.readApp(c, at, name)
	if err != nil {
		return orNothing(c, err, nil)
	}
	tagCloud(c, app)
	console.WriteJSON(c, http.StatusOK, upstreamApp(appJSON(c, at, app)))
	return nil
}

func (a cloudAPI) appIsDisabled(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	app, err := a.readApp(c, at, name)
	if err != nil {
		return orNothing(c, err, false)
	}
	console.WriteJSON(c, http.StatusOK, app.Disabled)
	return nil
}

// switchedApp switches an application and answers as upstream does.
func (a cloudAPI) switchedApp(disabled bool) cloudHandler {
	return func(c *gin.Context, at *console.Cloud) error {
		if _, err := a.switchApp(c, at, disabled); err != nil {
			return err
		}
		return yes(c)
	}
}

// deregisterApp removes an application with its jobs, whose runs are killed.
func (a cloudAPI) deregisterApp(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	if !at.Seen.Synced() {
		return errNotSynced
	}
	if _, err := a.readApp(c, at, name); err != nil {
		return err
	}
	for _, d := range at.JobsOf(name) {
		a.Note(c, slog.String("job", d.Job.Name))
		if err := a.remove(c, at, cloud.KindJob, d.Job.Name); err != nil && !errors.Is(err, cloud.ErrNotFound) {
			return err
		}
	}
	if err := a.remove(c, at, cloud.KindApp, name); err != nil {
		return err
	}
	return yes(c)
}
