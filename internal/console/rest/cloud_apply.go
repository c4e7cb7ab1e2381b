package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// The bounds of documents that are applied together.
const (
	maxDocuments     = 1000
	maxDocumentsBody = 4 << 20
)

// documentsTime bounds the judging and the storing of many documents: what was done until then
// stays, and a second request goes on.
const documentsTime = 15 * time.Second

// cloudResources is the group and version of the custom resources, whose documents are taken
// as they are.
const cloudResources = "cloud.elasticjob.dev/v1"

// applyRequest are applications and jobs as they are to be. A document is one as the
// requests have it that register it, or a resource of a cluster with such a one as its spec.
type applyRequest struct {
	Documents []map[string]json.RawMessage `json:"documents"`
	DryRun    bool                         `json:"dryRun,omitempty"`
}

// applyBody says of each document what became of it; with dryRun, what would.
type applyBody struct {
	DryRun    bool          `json:"dryRun"`
	Documents []appliedBody `json:"documents"`
}

type appliedBody struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	Action string   `json:"action"`
	Fields []string `json:"fields"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

// apply makes applications and jobs what documents say.
func (a cloudAPI) apply(c *gin.Context, at *console.Cloud) error {
	var in applyRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	if n := len(in.Documents); n == 0 || n > maxDocuments {
		return console.CloudInvalid(console.FieldBody{Field: "documents", Value: fmt.Sprint(n), Want: fmt.Sprintf("1 to %d documents", maxDocuments)})
	}
	var documents []console.CloudDocument
	var names []string
	for i, one := range in.Documents {
		d, err := documentOf(one)
		if err == nil {
			err = place(c, at, &d, one)
		}
		if err != nil {
			return console.InDocument(i, d, err)
		}
		documents, names = append(documents, d), append(names, d.Name())
	}
	a.Note(c, slog.String("target", view.Clip(strings.Join(names, ","), 200)), slog.Bool("dry_run", in.DryRun))
	ctx, cancel := context.WithTimeout(c.Request.Context(), documentsTime)
	defer cancel()
	plan, err := at.PlanDocuments(ctx, documents, a.Options().CommandChanges)
	if err == nil && !in.DryRun {
		err = at.Apply(ctx, plan, a.Options().CommandChanges, a.Now(), a.NoteDropped(c))
	}
	if err != nil {
		return err
	}
	body := applyBody{DryRun: in.DryRun, Documents: []appliedBody{}}
	for _, one := range plan {
		fields := one.Fields
		if fields == nil {
			fields = []string{}
		}
		applied := appliedBody{Kind: string(one.Kind), Name: one.Name(), Action: one.Action, Fields: fields}
		applied.Warnings = at.Warnings(i18n.English, one.CloudDocument, true) // Its caller may edit it.
		body.Documents = append(body.Documents, applied)
	}
	console.WriteJSON(c, http.StatusOK, body)
	return nil
}

// place says in which namespace a document is to be: the one that the resource names, or else
// that of the request. Where there are not several, resources may name any.
func place(c *gin.Context, at *console.Cloud, d *console.CloudDocument, fields map[string]json.RawMessage) error {
	var metadata struct {
		Namespace string `json:"namespace"`
	}
	if text := fields["metadata"]; at.Several() && text != nil {
		if err := json.Unmarshal(text, &metadata); err != nil {
			return console.CloudInvalid(console.FieldBody{Field: "metadata", Want: "an object whose namespace is a text"})
		}
	}
	namespace := cmp.Or(metadata.Namespace, namespaceOf(c))
	d.App.Namespace, d.Job.Namespace = namespace, namespace
	return at.CheckNamespace(namespace)
}

// documentOf reads an application or a job. What is absent has its default.
func documentOf(fields map[string]json.RawMessage) (d console.CloudDocument, err error) {
	word := func(field string) (text string) {
		if json.Unmarshal(fields[field], &text) != nil {
			return ""
		}
		return text
	}
	kind := word("kind")
	if _, resource := fields["kind"]; resource {
		if version := word("apiVersion"); version != cloudResources {
			return d, console.CloudInvalid(console.FieldBody{Field: "apiVersion", Value: view.Clip(version, 60), Want: cloudResources})
		}
		var spec map[string]json.RawMessage
		if err := json.Unmarshal(fields["spec"], &spec); err != nil || spec == nil {
			return d, console.CloudInvalid(console.FieldBody{Field: "spec", Want: "an object"})
		}
		fields = spec
	} else if _, job := fields["jobName"]; job {
		kind = "ElasticJob"
	} else if _, app := fields["appName"]; app {
		kind = "ElasticJobApp"
	}
	switch kind {
	case "ElasticJob":
		d = console.CloudDocument{Kind: cloud.KindJob, Job: cloud.NewJob("", "", 0)}
		return d, putFields(fields, &d.Job, func(string) {})
	case "ElasticJobApp":
		d = console.CloudDocument{Kind: cloud.KindApp, App: cloud.NewApp("")}
		return d, putFields(fields, &d.App, func(string) {})
	}
	return d, console.CloudInvalid(console.FieldBody{Field: "kind", Value: view.Clip(kind, 60), Want: "ElasticJob or ElasticJobApp; without it a document has jobName or appName"})
}
