package rest

import (
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// cloudAppRequest makes or changes an application.
type cloudAppRequest struct{ cloud.App }

// cloudAppBody is an application with upstream's field names.
type cloudAppBody struct {
	cloud.App
	Namespace string `json:"namespace,omitempty"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

// appJSON is an application as the answer may have it: whoever only looks sees the names of
// variables, and no values.
func appJSON(c *gin.Context, at *console.Cloud, app cloud.App) cloudAppBody {
	warnings := at.Warnings(i18n.English, console.CloudDocument{Kind: cloud.KindApp, App: app}, false)
	if hidesSecrets(c) {
		app = console.MaskedCloudApp(app)
	}
	return cloudAppBody{app, app.Namespace, warnings}
}

// listApps answers with all applications, each as body makes it.
func listApps[T any](c *gin.Context, at *console.Cloud, body func(cloudAppBody) T) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []T{}
	for _, app := range at.Seen.Apps() {
		if !hidden(c, at, app.Namespace) {
			list = append(list, body(appJSON(c, at, app)))
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

func (a cloudAPI) apps(c *gin.Context, at *console.Cloud) error {
	return listApps(c, at, func(body cloudAppBody) cloudAppBody { return body })
}

// readApp reads an application from the store, as new as it is.
func (a cloudAPI) readApp(c *gin.Context, at *console.Cloud, name string) (cloud.App, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	app, err := at.ReadApp(ctx, name)
	if err == nil {
		err = elsewhere(c, at, cloud.KindApp, name, app.Namespace)
	}
	return app, err
}

func (a cloudAPI) app(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	app, err := a.readApp(c, at, name)
	if err != nil {
		return err
	}
	tagCloud(c, app)
	console.WriteJSON(c, http.StatusOK, appJSON(c, at, app))
	return nil
}

// decodeApp reads an application over what is there.
func decodeApp(c *gin.Context, app *cloud.App) error {
	return decodeFields(c, app, func(field string) {
		if field == "env" {
			app.Env = nil
		}
	})
}

func (a cloudAPI) createApp(c *gin.Context, at *console.Cloud) error {
	app := cloud.NewApp("")
	if err := decodeApp(c, &app); err != nil {
		return err
	}
	made, err := a.addApp(c, at, app)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusCreated, appJSON(c, at, made))
	return nil
}

// addApp stores a new application.
func (a cloudAPI) addApp(c *gin.Context, at *console.Cloud, app cloud.App) (cloud.App, error) {
	a.Note(c, slog.String("target", app.Name))
	app.Namespace = at.Place(namespaceOf(c))
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.CreateApp(ctx, app, a.Options().CommandChanges)
}

func (a cloudAPI) changeApp(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	stored, err := a.readApp(c, at, name)
	if err != nil {
		return err
	}
	if err := basedOn(c, stored); err != nil {
		return err
	}
	wanted := stored.Clone()
	if err := decodeApp(c, &wanted); err != nil {
		return err
	}
	if err := rename("appName", wanted.Name, name); err != nil {
		return err
	}
	changed, err := a.storeApp(c, at, stored, wanted)
	if err != nil {
		return err
	}
	tagCloud(c, changed)
	console.WriteJSON(c, http.StatusOK, appJSON(c, at, changed))
	return nil
}

// storeApp changes an application from what it was to what is wanted.
func (a cloudAPI) storeApp(c *gin.Context, at *console.Cloud, stored, wanted cloud.App) (cloud.App, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.StoreApp(ctx, stored, wanted, a.Options().CommandChanges)
}

func (a cloudAPI) disableApp(c *gin.Context, at *console.Cloud) error {
	return a.showApp(c, at, true)
}

func (a cloudAPI) enableApp(c *gin.Context, at *console.Cloud) error {
	return a.showApp(c, at, false)
}

// showApp switches an application and answers with it.
func (a cloudAPI) showApp(c *gin.Context, at *console.Cloud, disabled bool) error {
	app, err := a.switchApp(c, at, disabled)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusOK, appJSON(c, at, app))
	return nil
}

// switchApp switches the application of the address off or on.
func (a cloudAPI) switchApp(c *gin.Context, at *console.Cloud, disabled bool) (cloud.App, error) {
	way, err := a.wayOff(c, at, disabled)
	if err != nil {
		return cloud.App{}, err
	}
	name, err := console.CloudName(c, "app")
	if err != nil {
		return cloud.App{}, err
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.SwitchApp(ctx, name, disabled, way)
}

func (a cloudAPI) deleteApp(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "app")
	if err != nil {
		return err
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	if err := at.DeleteApp(ctx, name); err != nil {
		return err
	}
	console.Done(c)
	return nil
}
