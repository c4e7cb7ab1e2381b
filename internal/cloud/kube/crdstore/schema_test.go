package crdstore_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/deploy/crds"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// schema is the part of a definition for one field, or for the fields of an object.
type schema map[string]any

func (s schema) at(fields ...string) schema {
	for _, f := range fields {
		next, ok := s[f].(map[string]any)
		if !ok {
			return nil
		}
		s = next
	}
	return s
}

// specOf returns the schema of spec and of its fields.
func specOf(t *testing.T, definition []byte) (spec, fields schema) {
	t.Helper()
	var d struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema schema `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.UnmarshalStrict(definition, &d); err != nil && !strings.Contains(err.Error(), "unknown field") {
		t.Fatal(err)
	}
	if len(d.Spec.Versions) != 1 {
		t.Fatalf("%d versions, want one", len(d.Spec.Versions))
	}
	spec = d.Spec.Versions[0].Schema.OpenAPIV3Schema.at("properties", "spec")
	return spec, spec.at("properties")
}

func jsonFields(value any) []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestSchemaHasTheFields: the definitions have exactly the fields of package cloud, because the
// server drops unknown ones.
func TestSchemaHasTheFields(t *testing.T) {
	t.Parallel()
	_, job := specOf(t, crds.ElasticJobs)
	_, app := specOf(t, crds.ElasticJobApps)
	for name, c := range map[string]struct {
		have schema
		want any
	}{
		"ElasticJob": {job, cloud.Job{}}, "ElasticJobApp": {app, cloud.App{}},
		"ElasticJobApp.pod": {app.at("pod", "properties"), cloud.PodSettings{}}, "toleration": {app.at("pod", "properties", "tolerations", "items", "properties"), cloud.Toleration{}},
	} {
		if diff := cmp.Diff(jsonFields(c.want), slices.Sorted(maps.Keys(c.have))); diff != "" {
			t.Errorf("%s (-package cloud +definition):\n%s", name, diff)
		}
	}
}

// TestSchemaHasTheDefaults: the server's defaults are package cloud's.
func TestSchemaHasTheDefaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		definition []byte
		with       any
	}{{crds.ElasticJobs, cloud.NewJob("settlement", "shop", 3)}, {crds.ElasticJobApps, cloud.NewApp("shop")}} {
		text, err := json.Marshal(c.with)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		spec, fields := specOf(t, c.definition)
		required, _ := spec["required"].([]any)
		for name := range fields {
			def, has := fields.at(name)["default"]
			value, wanted := want[name]
			switch {
			case slices.Contains(required, any(name)), !wanted && def == false: // omitted in JSON
			case has != wanted || has && fmt.Sprint(def) != fmt.Sprint(value):
				t.Errorf("the default of %s is %v, want %v", name, def, value)
			}
		}
	}
}

// TestSchemaHasTheBounds: the limits of the definitions are package cloud's.
func TestSchemaHasTheBounds(t *testing.T) {
	t.Parallel()
	_, job := specOf(t, crds.ElasticJobs)
	_, app := specOf(t, crds.ElasticJobApps)
	for _, c := range []struct {
		fields      schema
		name, bound string
		want        any
	}{
		{job, "jobName", "maxLength", cloud.MaxName}, {job, "appName", "maxLength", cloud.MaxName}, {app, "appName", "maxLength", cloud.MaxName},
		{job, "shardingTotalCount", "minimum", 1}, {job, "shardingTotalCount", "maximum", cloud.MaxShards},
		{job, "cpuCount", "minimum", cloud.LeastCPU}, {job, "cpuCount", "maximum", cloud.MaxCPU}, {app, "cpuCount", "minimum", cloud.LeastCPU}, {app, "cpuCount", "maximum", cloud.MaxCPU},
		{job, "memoryMB", "minimum", cloud.LeastMemoryMB}, {job, "memoryMB", "maximum", cloud.MaxMemoryMB}, {app, "memoryMB", "minimum", cloud.LeastMemoryMB}, {app, "memoryMB", "maximum", cloud.MaxMemoryMB},
		{job, "maxTimeDiffSeconds", "minimum", -1}, {job, "maxTimeDiffSeconds", "maximum", jobconfig.MaxTimeDiffSeconds},
		{job, "reconcileIntervalMinutes", "minimum", -1}, {job, "reconcileIntervalMinutes", "maximum", jobconfig.MaxReconcileMinutes},
		{job, "jobParameter", "maxLength", cloud.MaxText}, {app, "bootstrapScript", "maxLength", cloud.MaxText},
	} {
		if got, want := fmt.Sprint(c.fields.at(c.name)[c.bound]), fmt.Sprint(jsonNumber(t, c.want)); got != want {
			t.Errorf("%s of %s is %s, want %s", c.bound, c.name, got, want)
		}
	}
	// Package cloud refuses values just beyond the limits, so nothing is stored that never fires.
	for name, change := range map[string]func(*cloud.Job){
		"cron": func(j *cloud.Job) { j.Cron = strings.Repeat("0", int(jobMax(job, "cron"))+1) },
		"key": func(j *cloud.Job) {
			j.Props = map[string]string{cloud.PropPendingMax: fmt.Sprint(cloud.MaxPending + 1)}
		},
	} {
		j := cloud.NewJob("settlement", "shop", 3)
		if change(&j); j.Validate() == nil {
			t.Errorf("package cloud takes a %s that is beyond the definition's bound", name)
		}
	}
	for name, change := range map[string]func(*cloud.App){
		"sampling": func(a *cloud.App) { a.EventSampling = int(jobMax(app, "eventTraceSamplingCount")) + 1 },
		"grace":    func(a *cloud.App) { a.GraceSeconds = int(jobMax(app, "terminationGracePeriodSeconds")) + 1 },
		"image":    func(a *cloud.App) { a.Image = strings.Repeat("i", int(jobMax(app, "image"))+1) },
		"url":      func(a *cloud.App) { a.URL = "https://" + strings.Repeat("i", int(jobMax(app, "appURL"))) },
		"words":    func(a *cloud.App) { a.Command = slices.Repeat([]string{"a"}, int(jobMax(app, "command"))+1) },
		"secrets":  func(a *cloud.App) { a.Pod = &cloud.PodSettings{ImagePullSecrets: slices.Repeat([]string{"a"}, 33)} },
		"user":     func(a *cloud.App) { a.Pod = &cloud.PodSettings{RunAsUser: 1 << 31} },
	} {
		a := cloud.NewApp("shop")
		if change(&a); a.Validate() == nil {
			t.Errorf("package cloud takes a %s that is beyond the definition's bound", name)
		}
	}
}

// jobMax returns the largest number, length or count of a field.
func jobMax(fields schema, name string) float64 {
	for _, bound := range []string{"maximum", "maxLength", "maxItems"} {
		if value, ok := fields.at(name)[bound].(float64); ok {
			return value
		}
	}
	panic(name + " has no upper bound")
}

// jsonNumber returns a number as JSON decodes it.
func jsonNumber(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var number float64
	if err := json.Unmarshal(text, &number); err != nil {
		t.Fatal(err)
	}
	return number
}
