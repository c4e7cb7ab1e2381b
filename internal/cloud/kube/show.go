package kube

import (
	"bytes"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/cloud"
)

var _ cloud.Manifester = (*Engine)(nil)

// Manifest implements [cloud.Manifester]: the Job of a run, or the StatefulSet of a DAEMON job. It
// sends no request.
func (e *Engine) Manifest(r cloud.Run) ([]byte, error) {
	object, err := e.objectOf(r)
	if err != nil {
		return nil, fmt.Errorf("manifest of %s: %w", r.Name, err)
	}
	object.SetNamespace(e.cfg.Namespace)
	e.own(object, r.Job.Name, r.Owner)
	return yamlOf(object)
}

func (e *Engine) objectOf(r cloud.Run) (metav1.Object, error) {
	if r.Job.Type != cloud.TypeDaemon {
		return manifest(r, e.cfg.Policy)
	}
	d := cloud.Daemon{Name: cloud.Slug(r.Job.Name), Job: r.Job, App: r.App, Owner: r.Owner, Count: r.Job.Processes()}
	return daemonManifest(d, e.cfg)
}

// yamlOf returns an object for kubectl: with the API's field order, and without the status, which others write.
func yamlOf(object any) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("as JSON: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil { // JSON is YAML.
		return nil, fmt.Errorf("as YAML: %w", err)
	}
	root := document.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "status" {
			root.Content = append(root.Content[:i], root.Content[i+2:]...)
			break
		}
	}
	plainStyle(root)
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("as YAML: %w", err)
	}
	return b.Bytes(), nil
}

// plainStyle puts nodes on separate lines and quotes only where needed. It drops nulls, which were never set.
func plainStyle(n *yaml.Node) {
	n.Style = 0
	if n.Kind == yaml.MappingNode {
		var kept []*yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i+1].Tag != "!!null" {
				kept = append(kept, n.Content[i], n.Content[i+1])
			}
		}
		n.Content = kept
	}
	for _, one := range n.Content {
		plainStyle(one)
	}
}
