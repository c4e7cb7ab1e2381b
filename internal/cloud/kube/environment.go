package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	cloudtask "github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// variables are a container's variables in order. They may refer to earlier ones.
type variables []corev1.EnvVar

// literal adds a variable with a text. It escapes dollar signs, because only applications may use $(…).
func (v *variables) literal(name, value string) {
	*v = append(*v, corev1.EnvVar{Name: name, Value: strings.ReplaceAll(value, "$", "$$")})
}

func (v *variables) field(name, path string) {
	*v = append(*v, corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: path}}})
}

// environment returns a program's variables in addition to its image's. Variables used by others
// come first, and the application's last, so that they may refer to ours.
func environment(r cloud.Run, c Config) (v variables, err error) {
	if r.Job.Registry() {
		v, err = agentVariables(r, c)
	} else {
		v, err = taskVariables(r, c)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.App.Env)) {
		v = append(v, corev1.EnvVar{Name: name, Value: r.App.Env[name]})
	}
	for _, one := range v {
		if len(one.Value) > maxValue {
			return nil, refuse("env", "%s has %d bytes as JSON or with each $ doubled, want at most %d: shorten the job's parameters", one.Name, len(one.Value), maxValue)
		}
	}
	return v, nil
}

// agentVariables returns the variables of a process that shares its job's shards with others.
func agentVariables(r cloud.Run, c Config) (v variables, err error) {
	if c.Registry.Servers == "" {
		return nil, refuse("props", "%s is %s, but this console has no ZooKeeper for the processes; start it with --cloud-registry-servers and --cloud-registry-namespace", cloud.PropDaemon, cloud.DaemonRegistry)
	}
	config, err := r.Job.LiteConfiguration(c.Zone)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	document, err := config.Encode()
	if err != nil {
		return nil, refuse("props", "%v", err)
	}
	grace := cloudtask.DefaultGrace
	if r.App.GraceSeconds > 0 {
		grace = r.App.GraceSeconds
	}
	v.field(cloudtask.Process, "metadata.name")
	v.field(cloudtask.Node, "spec.nodeName")
	v.field(cloudtask.PodUID, "metadata.uid")
	v.literal(cloudtask.JobName, r.Job.Name)
	v.literal(cloudtask.AppName, r.App.Name)
	v.literal(cloudtask.Run, r.Name)
	v.literal(cloudtask.ExecutionType, string(r.Job.Type))
	v.literal(cloudtask.RegistryServers, c.Registry.Servers)
	v.literal(cloudtask.RegistryNamespace, c.Registry.Namespace)
	v.literal(cloudtask.JobConfiguration, string(document))
	v.literal(cloudtask.Grace, strconv.Itoa(grace))
	v.literal(cloudtask.EventSampling, strconv.Itoa(r.App.EventSampling))
	v.asking(r, c)
	return v, nil
}

// taskVariables returns the variables of a process for one shard.
func taskVariables(r cloud.Run, c Config) (v variables, err error) {
	props := []byte("{}")
	if r.Job.Props != nil {
		if props, err = json.Marshal(r.Job.ProgramProps()); err != nil {
			return nil, refuse("props", "%v", err)
		}
	}
	v.pod(r)
	v.literal(cloudtask.AppName, r.App.Name)
	v.literal(cloudtask.Run, r.Name)
	v.literal(cloudtask.Total, strconv.Itoa(r.Job.Shards))
	v.literal(cloudtask.ItemParameters, r.Job.ShardParameters)
	v.literal(cloudtask.JobParameter, r.Job.Parameter)
	v.literal(cloudtask.Props, string(props))
	if r.Origin == cloud.OriginDaemon {
		values := cloud.DaemonVariables(r.Job, r.App, c.Zone)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			v.literal(name, values[name])
		}
		v.asking(r, c)
	} else {
		v.literal(cloudtask.RunParameters, string(r.Parameters))
		v.literal(cloudtask.ScheduledAt, r.Fire.UTC().Format(time.RFC3339))
	}
	v.literal(cloudtask.ExecutionType, string(r.Job.Type))
	return v, nil
}

// pod adds the variables that differ between pods, and the job's name, which is a part of the task id.
func (v *variables) pod(r cloud.Run) {
	index := batchv1.JobCompletionIndexAnnotation
	if r.Origin == cloud.OriginDaemon {
		index = appsv1.PodIndexLabel
	}
	v.field(cloudtask.Index, "metadata.labels['"+index+"']")
	v.field(cloudtask.Node, "spec.nodeName")
	v.field(cloudtask.PodUID, "metadata.uid")
	if r.Origin != cloud.OriginDaemon {
		// Package cloudjob computes the fencing token and the attempt from them.
		v.field(cloudtask.Failures, "metadata.annotations['"+batchv1.JobIndexFailureCountAnnotation+"']")
		v.field(cloudtask.IgnoredFailures, "metadata.annotations['"+batchv1.JobIndexIgnoredFailureCountAnnotation+"']")
	}
	v.literal(cloudtask.JobName, r.Job.Name)
	if r.Shards != nil {
		// The number of a pod is only the shard's number if all shards run. Otherwise the program
		// looks it up in the list, because one template serves all pods.
		v.literal(cloudtask.ShardList, shardList(r.Shards))
		return
	}
	of := func(name string) string { return "$(" + name + ")" }
	id := []string{of(cloudtask.JobName), of(cloudtask.Item), "READY", of(cloudtask.Node), of(cloudtask.PodUID)}
	*v = append(*v, corev1.EnvVar{Name: cloudtask.Item, Value: of(cloudtask.Index)},
		corev1.EnvVar{Name: cloudtask.TaskID, Value: strings.Join(id, "@-@")})
}

// asking adds the port for readiness checks and the address for reports.
func (v *variables) asking(r cloud.Run, c Config) {
	if port := r.Job.ReadyPort(); port > 0 {
		v.literal(cloudtask.ReadyPort, strconv.Itoa(port))
	}
	if c.EventsURL != "" {
		v.literal(cloudtask.EventsURL, c.EventsURL)
		v.literal(cloudtask.EventsTokenFile, tokenFolder+"/"+tokenName)
	}
}
