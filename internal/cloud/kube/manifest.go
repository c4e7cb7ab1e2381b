package kube

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/elasticjob-go/elasticjob/cloud"
	cloudtask "github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

const group = Group

// Labels of a run and its pods, only for selectors.
const (
	labelJob  = group + "/job"  // Slug of the job's name
	labelApp  = group + "/app"  // Slug of the application's name
	labelFire = group + "/fire" // seconds of the fire time; absent for a manual run
	labelKind = group + "/kind" // daemon; absent for runs
	// labelQueue is Kueue's.
	labelQueue = "kueue.x-k8s.io/queue-name"
)

// Annotations of a run. Together they make its cloud.RunStatus.
const (
	noteJobName     = group + "/job-name"
	noteAppName     = group + "/app-name"
	noteOwner       = group + "/owner"
	noteScheduledAt = group + "/scheduled-at" // RFC 3339 with fractions
	noteKind        = group + "/kind"         // a cloud.Origin
	noteTotal       = group + "/sharding-total-count"
	noteShards      = group + "/shards" // "0,2"; absent for all
	noteDaemon      = group + "/daemon" // for a StatefulSet: the job's property cloud.daemon
	noteBy          = group + "/requested-by"
	noteDescription = group + "/description"
	// Commands, as JSON of a command.
	noteEnded     = group + "/ended"
	noteSuspended = group + "/suspended"
	// noteKilled is followed by the UID of a pod.
	noteKilled = group + "/killed-"
	// noteDigest of a StatefulSet and its pods shows whether they are up to date.
	noteDigest = group + "/digest"
)

const (
	// container is the name of the task's container in its pod.
	container = "job"
	// keptFor is how long the cluster keeps a run that isn't forgotten.
	keptFor = 24 * time.Hour
	// maxValue is the longest value of a variable, because Linux refuses 128 KiB with the name.
	maxValue = 120 << 10
)

// ours matches the part of a run's name after its job's; see package cloud.
var ours = regexp.MustCompile(`\A(y?[0-9]{10}|y?x[0-9a-f]{10})\z`)

// refuse returns an error for which a retry is useless.
func refuse(field, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", field, fmt.Sprintf(format, args...), cloud.ErrRefused)
}

// manifest returns the Job of a run. It's pure. The error is a cloud.ErrRefused with the field, its
// value and the allowed values.
func manifest(r cloud.Run, p Policy) (*batchv1.Job, error) {
	if err := check(r, p); err != nil {
		return nil, err
	}
	env, err := environment(r, Config{})
	if err != nil {
		return nil, err
	}
	labels := map[string]string{labelJob: cloud.Slug(r.Job.Name), labelApp: cloud.Slug(r.App.Name)}
	if r.Origin != cloud.OriginManual {
		labels[labelFire] = fmt.Sprintf("%010d", r.Fire.Unix())
	}
	count := int32(r.TaskCount()) //nolint:gosec // check bounds it.
	job := &batchv1.Job{
		TypeMeta:   metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{Name: r.Name, Labels: maps.Clone(labels), Annotations: annotations(r)},
		Spec: batchv1.JobSpec{
			CompletionMode:          new(batchv1.IndexedCompletion),
			Completions:             new(count),
			Parallelism:             new(min(count, int32(r.Job.Parallelism()))), //nolint:gosec // check bounds it.
			BackoffLimitPerIndex:    new(int32(r.Job.FailoverMax())),             //nolint:gosec // 100 at most.
			PodReplacementPolicy:    new(batchv1.Failed),
			PodFailurePolicy:        failurePolicy(r),
			TTLSecondsAfterFinished: new(int32(keptFor / time.Second)),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{noteJobName: r.Job.Name}},
				Spec:       podSpec(r, env, p.Archives),
			},
		},
	}
	if d := r.Job.Timeout(); d > 0 {
		job.Spec.ActiveDeadlineSeconds = new(int64(math.Ceil(d.Seconds())))
	}
	if queue := r.Job.Props[cloud.PropQueue]; queue != "" {
		job.Labels[labelQueue], job.Spec.Suspend = queue, new(true)
	}
	return job, nil
}

// check refuses runs that this engine can't run.
func check(r cloud.Run, p Policy) error {
	if err := r.Job.Validate(); err != nil {
		return fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	if err := checkApp(r.Job, r.App, p); err != nil {
		return err
	}
	own, found := strings.CutPrefix(r.Name, cloud.Slug(r.Job.Name)+"-")
	switch {
	case !found || !ours.MatchString(own):
		return refuse("name", "%q is not a run name of job %q; names must be derived from the job and the fire time, otherwise a run could be created twice", r.Name, r.Job.Name)
	case r.Job.Type != cloud.TypeTransient:
		return refuse("jobExecutionType", "%s jobs have no runs; only TRANSIENT jobs have", r.Job.Type)
	case len(r.Parameters) > cloud.MaxParameters:
		return refuse("parameters", "%d bytes, want at most %d", len(r.Parameters), cloud.MaxParameters)
	case len(r.Parameters) > 0 && !json.Valid(r.Parameters):
		return refuse("parameters", "they aren't JSON")
	}
	last := -1
	for _, s := range r.Shards {
		if s <= last || s >= r.Job.Shards {
			return refuse("shards", "%v, want numbers from 0 to %d in ascending order", r.Shards, r.Job.Shards-1)
		}
		last = s
	}
	if r.Shards != nil && len(r.Shards) == 0 {
		return refuse("shards", "none, want one at least")
	}
	return nil
}

// checkApp refuses an application for which this engine can't create pods.
func checkApp(j cloud.Job, a cloud.App, p Policy) error {
	if err := a.Validate(); err != nil {
		return fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	if a.URL != "" {
		if err := p.Archives.check(j, a); err != nil {
			return err
		}
	}
	switch {
	case a.Image == "" && a.URL == "":
		return refuse("image", "application %q has no container image; give one, such as registry.example/shop:1", a.Name)
	case a.BootstrapScript != "" && len(a.Command) > 0:
		return refuse("bootstrapScript", "application %q has a command too; give one of them", a.Name)
	}
	return p.check(a)
}

func annotations(r cloud.Run) map[string]string {
	notes := map[string]string{
		noteJobName: r.Job.Name, noteAppName: r.App.Name, noteOwner: r.Owner, noteKind: string(r.Origin),
		noteTotal: strconv.Itoa(r.Job.Shards),
	}
	if r.Origin != cloud.OriginDaemon {
		notes[noteScheduledAt] = r.Fire.UTC().Format(time.RFC3339Nano)
	}
	if r.Job.Registry() {
		notes[noteTotal], notes[noteDaemon] = strconv.Itoa(r.Job.Processes()), cloud.DaemonRegistry
	}
	for key, value := range map[string]string{noteShards: shardList(r.Shards), noteBy: r.By, noteDescription: r.Job.Description} {
		if value != "" {
			notes[key] = value
		}
	}
	return notes
}

func shardList(shards []int) string {
	words := make([]string, len(shards))
	for i, s := range shards {
		words[i] = strconv.Itoa(s)
	}
	return strings.Join(words, ",")
}

// failurePolicy has the exit codes that aren't retried first. If the cluster removed a pod and the
// job has failover, the pod is replaced without counting.
func failurePolicy(r cloud.Run) *batchv1.PodFailurePolicy {
	j := r.Job
	codes := make([]int32, 0, 2)
	for _, c := range j.FailoverNever() {
		codes = append(codes, int32(c)) //nolint:gosec // Validate has bounded it by 255.
	}
	slices.Sort(codes) // The API requires order and no duplicates.
	disrupted := batchv1.PodFailurePolicyActionFailIndex
	if j.Failover {
		disrupted = batchv1.PodFailurePolicyActionIgnore
	}
	policy := &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{
		{Action: batchv1.PodFailurePolicyActionFailIndex, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{
			ContainerName: new(container), Operator: batchv1.PodFailurePolicyOnExitCodesOpIn, Values: slices.Compact(codes),
		}},
		{Action: disrupted, OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{
			{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue},
		}},
	}}
	if r.App.Fetched() {
		policy.Rules = append([]batchv1.PodFailurePolicyRule{fetchRule()}, policy.Rules...)
	}
	return policy
}

// podSpec returns a pod with as few rights as possible.
func podSpec(r cloud.Run, env []corev1.EnvVar, archives Archives) corev1.PodSpec {
	pull := corev1.PullIfNotPresent
	if !r.App.CacheEnable {
		pull = corev1.PullAlways
	}
	command, args := startOf(r.Job, r.App)
	restart := corev1.RestartPolicyNever
	if r.Origin == cloud.OriginDaemon {
		restart = corev1.RestartPolicyAlways // A StatefulSet allows no other policy.
	}
	spec := corev1.PodSpec{
		RestartPolicy:                restart,
		AutomountServiceAccountToken: new(false),
		EnableServiceLinks:           new(false),
		PriorityClassName:            r.Job.Props[cloud.PropPriority],
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: new(true), SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{{
			Name: container, Image: r.App.Image, ImagePullPolicy: pull, Command: command, Args: args, Env: env,
			Resources: resources(r), TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
			SecurityContext: &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false), Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			},
		}},
	}
	if r.App.Fetched() {
		archives.prepare(&spec, r.App)
	}
	if r.App.GraceSeconds > 0 {
		spec.TerminationGracePeriodSeconds = new(int64(r.App.GraceSeconds))
	}
	if r.App.Pod != nil {
		applySettings(&spec, *r.App.Pod)
	}
	return spec
}

// startOf returns the words that a container starts, nil if the image has its own. The pods of a
// run share one template, so cloudrun adds a script's sharding context.
func startOf(j cloud.Job, a cloud.App) (command, args []string) {
	script, err := j.Script()
	switch {
	case err == nil && script != nil:
		if j.Type != cloud.TypeDaemon {
			script = append(cloud.Wrapper(), script...)
		}
		for i := range script {
			script[i] = strings.ReplaceAll(script[i], "$", "$$") // they contain no references to variables
		}
		return script, nil
	case a.BootstrapScript != "":
		return []string{"/bin/sh", "-c", a.BootstrapScript}, slices.Clone(a.Args)
	}
	return slices.Clone(a.Command), slices.Clone(a.Args)
}

// resources returns the requests of the job and the application together. Memory is limited, the
// CPU only if the job asks for it.
func resources(r cloud.Run) corev1.ResourceRequirements {
	// Drop a thousandth before rounding up, because 0.1 + 0.2 would exceed 300m.
	up := func(v float64) int64 { return int64(math.Ceil(math.Round(v*1000) / 1000)) }
	cpu := *resource.NewMilliQuantity(up((r.Job.CPU+r.App.CPU)*1000), resource.DecimalSI)
	memory := *resource.NewQuantity(up(r.Job.MemoryMB+r.App.MemoryMB)<<20, resource.BinarySI)
	limits := corev1.ResourceList{corev1.ResourceMemory: memory}
	if r.Job.Props[cloud.PropCPULimit] == "true" {
		limits[corev1.ResourceCPU] = cpu
	}
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: cpu, corev1.ResourceMemory: memory}, Limits: limits,
	}
}

// The token that identifies a process when it reports its runs: a token of the pod's ServiceAccount
// that only [Engine.Reporter] accepts.
const (
	// EventsAudience is the token's audience.
	EventsAudience = "elasticjob-events"

	tokenVolume  = "elasticjob-events"
	tokenFolder  = "/var/run/secrets/elasticjob.dev/events"
	tokenName    = "token"
	tokenSeconds = 3600
)

// daemonManifest returns the StatefulSet of a DAEMON job: a pod per shard, with the shard's number
// as its ordinal, so a shard never has two pods. With a registry the pods share the shards, and the
// ordinal has no meaning. It's pure. The error is a cloud.ErrRefused.
func daemonManifest(d cloud.Daemon, c Config) (*appsv1.StatefulSet, error) {
	if err := checkDaemon(d, c.Policy); err != nil {
		return nil, err
	}
	r := cloud.Run{Name: cloud.DaemonRunName(d.Job.Name), Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon}
	env, err := environment(r, c)
	if err != nil {
		return nil, err
	}
	of := map[string]string{labelJob: d.Name, labelKind: string(cloud.OriginDaemon)}
	labels := map[string]string{labelJob: d.Name, labelKind: string(cloud.OriginDaemon), labelApp: cloud.Slug(d.App.Name)}
	set := &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Name: d.Name, Labels: labels, Annotations: annotations(r)},
		Spec: appsv1.StatefulSetSpec{
			Replicas: new(int32(d.Count)), //nolint:gosec // checkDaemon bounds it.
			Selector: &metav1.LabelSelector{MatchLabels: of},
			// All shards start at once, without waiting for each other.
			PodManagementPolicy: appsv1.ParallelPodManagement,
			// A change replaces one pod after the other.
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType},
			// There's no rollback, because the job's document decides.
			RevisionHistoryLimit: new(int32(1)),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: maps.Clone(labels), Annotations: map[string]string{noteJobName: d.Job.Name}},
				Spec:       podSpec(r, env, c.Policy.Archives),
			},
		},
	}
	if c.EventsURL != "" {
		mountToken(&set.Spec.Template.Spec)
	}
	if port := d.Job.ReadyPort(); port > 0 {
		set.Spec.Template.Spec.Containers[0].ReadinessProbe = readinessProbe(port)
	}
	template := &set.Spec.Template
	template.Annotations[noteDigest] = digestOf(*template)
	// The number of replicas is compared separately, because others may scale.
	set.Annotations[noteDigest] = digestOf([]any{set.Labels, set.Annotations, *template})
	return set, nil
}

func checkDaemon(d cloud.Daemon, p Policy) error {
	if err := d.Job.Validate(); err != nil {
		return fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	switch {
	case d.Name != cloud.Slug(d.Job.Name):
		return refuse("name", "%q is not the name for the processes of job %q, which is %q", d.Name, d.Job.Name, cloud.Slug(d.Job.Name))
	case d.Job.Type != cloud.TypeDaemon:
		return refuse("jobExecutionType", "%s jobs have runs; only DAEMON jobs have permanent processes", d.Job.Type)
	case d.Count != d.Job.Processes():
		return refuse("count", "%d processes, want %d of a job of %d shards", d.Count, d.Job.Processes(), d.Job.Shards)
	}
	return checkApp(d.Job, d.App, p)
}

// readinessProbe checks whether a process fires. Only programs that support it are checked, because
// others would never be ready, and a change of the job would stop at the first of them.
func readinessProbe(port int) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: cloudtask.ReadyPath, Port: intstr.FromInt(port)}},
		PeriodSeconds: 5, TimeoutSeconds: 3,
	}
}

// mountToken adds the token to a pod. A pod without its own ServiceAccount has no other token, and
// this one has no other use.
func mountToken(spec *corev1.PodSpec) {
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: tokenVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{
			ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Audience: EventsAudience, ExpirationSeconds: new(int64(tokenSeconds)), Path: tokenName},
		}}},
	}})
	c := &spec.Containers[0]
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: tokenVolume, MountPath: tokenFolder, ReadOnly: true})
}

func digestOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("kube: %v", err)) // The API's types can always be encoded.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
