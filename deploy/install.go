package deploy

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed crds/Kustomization crds/*.yaml
//go:embed kustomize/policy/*.yaml
//go:embed kustomize/base/kustomization.yaml kustomize/base/serviceaccount.yaml kustomize/base/role.yaml kustomize/base/rolebinding.yaml
var files embed.FS

// rights are the resources of the base that say what the scheduler may do. The others run a
// console in the cluster.
var rights = []string{"serviceaccount.yaml", "role.yaml", "rolebinding.yaml"}

// kustomization is what is read of a file of kustomize.
type kustomization struct {
	Resources []string
	Labels    []struct{ Pairs map[string]string }
}

// CustomResources returns the definitions of the custom resources.
func CustomResources() ([]byte, error) {
	k, err := read("crds/Kustomization")
	if err != nil {
		return nil, err
	}
	var stream bytes.Buffer
	for _, name := range k.Resources {
		text, err := files.ReadFile(path.Join("crds", name))
		if err != nil {
			return nil, err
		}
		begin(&stream)
		stream.Write(text)
	}
	return stream.Bytes(), nil
}

// Installation returns the custom resources, the policies, and the rights of the scheduler in
// a namespace. The namespace is not among them.
func Installation(namespace string) ([]byte, error) {
	text, err := CustomResources()
	if err != nil {
		return nil, err
	}
	stream := bytes.NewBuffer(text)
	for _, folder := range []string{"kustomize/policy", "kustomize/base"} {
		k, err := read(path.Join(folder, "kustomization.yaml"))
		if err != nil {
			return nil, err
		}
		inside := ""
		if folder == "kustomize/base" {
			inside = namespace
			k.Resources = slices.DeleteFunc(k.Resources, func(name string) bool { return !slices.Contains(rights, name) })
		}
		for _, name := range k.Resources {
			if err := k.write(stream, path.Join(folder, name), inside); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return stream.Bytes(), nil
}

func read(name string) (k kustomization, err error) {
	text, err := files.ReadFile(name)
	if err == nil {
		err = yaml.Unmarshal(text, &k)
	}
	return k, err
}

// begin separates an object from the one before it.
func begin(stream *bytes.Buffer) {
	if stream.Len() > 0 {
		stream.WriteString("---\n")
	}
}

// write appends the objects of a file, with the labels, and in a namespace if it is not empty.
func (k kustomization) write(stream *bytes.Buffer, name, namespace string) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var object yaml.Node
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		metadata := field(object.Content[0], "metadata")
		if metadata == nil {
			return errors.New("an object without metadata")
		}
		if namespace != "" {
			set(metadata, "namespace", namespace)
			// The ServiceAccounts are those of the same namespace.
			if subjects := field(object.Content[0], "subjects"); subjects != nil {
				for _, subject := range subjects.Content {
					set(subject, "namespace", namespace)
				}
			}
		}
		labels := field(metadata, "labels")
		if labels == nil {
			labels = &yaml.Node{Kind: yaml.MappingNode}
			metadata.Content = append(metadata.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "labels"}, labels)
		}
		for _, l := range k.Labels {
			for _, key := range slices.Sorted(maps.Keys(l.Pairs)) {
				set(labels, key, l.Pairs[key])
			}
		}
		begin(stream)
		encoder := yaml.NewEncoder(stream)
		encoder.SetIndent(2)
		if err := errors.Join(encoder.Encode(&object), encoder.Close()); err != nil {
			return err
		}
	}
}

// field is the value of a key of a mapping, nil if there is none.
func field(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// set gives a key of a mapping a text.
func set(mapping *yaml.Node, key, text string) {
	value := field(mapping, key)
	if value == nil {
		value = &yaml.Node{}
		mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
	value.SetString(text)
}
