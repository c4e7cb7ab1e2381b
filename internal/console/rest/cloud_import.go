package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// cloudImportBody says what became of what the tree has; with dryRun, what would.
type cloudImportBody struct {
	DryRun bool `json:"dryRun"`
	// Scheduler reports whether a scheduler stands for election in the tree.
	Scheduler bool                `json:"scheduler"`
	Documents []cloudImportedBody `json:"documents"`
}

type cloudImportedBody struct {
	appliedBody

	Refused []console.FieldBody `json:"refused"`
	Reason  string              `json:"reason,omitempty"`
	Notes   []cloudNoteBody     `json:"notes"`
}

type cloudNoteBody struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Note  string `json:"note"`
}

// importTree makes applications and jobs what a tree of ElasticJob-Cloud says.
func (a cloudAPI) importTree(c *gin.Context, at *console.Cloud) error {
	var in api.CloudImportRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	if len(in.Apps) > maxDocuments {
		return console.CloudInvalid(console.FieldBody{Field: "apps", Value: fmt.Sprint(len(in.Apps)), Want: fmt.Sprintf("at most %d names", maxDocuments)})
	}
	a.Note(c, slog.String("target", view.Clip(in.Registry+" "+in.Namespace, 200)), slog.Bool("dry_run", in.DryRun))
	ctx, cancel := context.WithTimeout(c.Request.Context(), documentsTime)
	defer cancel()
	tree, err := a.treeOf(ctx, at, in)
	if err != nil {
		return err
	}
	tree, absent := tree.Only(in.Apps)
	if len(absent) > 0 {
		return console.CloudInvalid(console.FieldBody{Field: "apps", Value: view.Clip(strings.Join(absent, ", "), 200), Want: "names of applications that the tree has"})
	}
	if n := tree.Size(); n > maxDocuments {
		return console.CloudInvalid(console.FieldBody{Field: "apps", Value: strconv.Itoa(n) + " applications and jobs", Want: fmt.Sprintf("the names of applications that have at most %d jobs together; import one part after the other", maxDocuments)})
	}
	plan, err := at.PlanImport(ctx, tree, console.CloudImportOptions{Disabled: in.Disabled, Commands: a.Options().CommandChanges, Namespace: namespaceOf(c)})
	if err == nil && !in.DryRun {
		err = at.Import(ctx, plan, tree.Scheduler, a.Options().CommandChanges, a.Now(), a.NoteDropped(c))
	}
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusOK, importedBody(plan, tree.Scheduler, in.DryRun))
	return nil
}

// treeOf is the tree that a request is about.
func (a cloudAPI) treeOf(ctx context.Context, at *console.Cloud, in api.CloudImportRequest) (tree zkstore.Tree, err error) {
	switch {
	case in.Tree != nil && (in.Registry != "" || in.Namespace != ""):
		return tree, console.CloudInvalid(console.FieldBody{Field: "tree", Want: "none beside registry and namespace: it is one or the other"})
	case in.Tree != nil:
		return *in.Tree, nil
	case in.Registry == "":
		return tree, console.CloudInvalid(console.FieldBody{Field: "registry", Want: "a registry that was entered, " + console.DefaultRegistry + " for that of the command line, or a tree in its place"})
	}
	var entered *settings.Registry
	if in.Registry != console.DefaultRegistry {
		r, err := a.StoredRegistry(ctx, in.Registry)
		if err != nil {
			return tree, err
		}
		entered = &r
		if in.Namespace == "" {
			in.Namespace = r.Namespace
		}
	}
	if _, err := jobtree.NewNamespace(in.Namespace); err != nil {
		return tree, console.CloudInvalid(console.FieldBody{Field: "namespace", Value: view.Clip(in.Namespace, 100), Want: "the namespace of the scheduler, such as elasticjob-cloud"})
	}
	if tree, err = at.ReadTree(ctx, entered, in.Namespace); err != nil {
		return tree, console.CloudTreeProblem(in.Registry, in.Namespace, err)
	}
	return tree, nil
}

func importedBody(plan []console.CloudImported, scheduler, dryRun bool) cloudImportBody {
	body := cloudImportBody{DryRun: dryRun, Scheduler: scheduler, Documents: []cloudImportedBody{}}
	for _, one := range plan {
		d := cloudImportedBody{appliedBody: appliedBody{Kind: string(one.Kind), Name: one.Name(), Action: one.Action, Fields: one.Fields}, Refused: []console.FieldBody{}, Notes: []cloudNoteBody{}}
		if d.Fields == nil {
			d.Fields = []string{}
		}
		if one.Refused != nil {
			d.Reason = one.Refused.Message
			d.Refused = append(d.Refused, one.Refused.Fields...)
		}
		for _, n := range one.Notes {
			d.Notes = append(d.Notes, cloudNoteBody{n.Field, mask.Value(n.Field, view.Clip(n.Value, 200)), n.Text})
		}
		body.Documents = append(body.Documents, d)
	}
	return body
}
