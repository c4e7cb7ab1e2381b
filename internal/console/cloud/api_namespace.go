package cloud

import (
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// namespaceOf is the namespace of a cluster that a request is about, "" for none in particular.
func namespaceOf(c *gin.Context) string { return c.Query("namespace") }

// inNamespace refuses a request about a namespace that is not served, and one about an
// application or a job that another one has.
func (a cloudAPI) inNamespace(c *gin.Context, at *Cloud) error {
	if err := at.CheckNamespace(namespaceOf(c)); err != nil {
		return err
	}
	if namespaceOf(c) == "" || !at.Several() {
		return nil
	}
	for what, read := range map[string]func(name string) error{
		"job": func(name string) error { _, err := a.readJob(c, at, name); return err },
		"app": func(name string) error { _, err := a.readApp(c, at, name); return err },
	} {
		if c.Param(what) == "" {
			continue
		}
		name, err := nameOf(c, what)
		if err == nil {
			err = read(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// elsewhere refuses what the request does not mean: it is in another namespace.
func elsewhere(c *gin.Context, at *Cloud, kind cloud.Kind, name, namespace string) error {
	if !hidden(c, at, namespace) {
		return nil
	}
	return fmt.Errorf("%s %q in namespace %s: %w; namespace %s has it", kind, name, namespaceOf(c), cloud.ErrNotFound, namespace)
}

// hidden reports whether something is in another namespace than a request is about.
func hidden(c *gin.Context, at *Cloud, namespace string) bool {
	asked := namespaceOf(c)
	return at.Several() && asked != "" && asked != namespace
}
