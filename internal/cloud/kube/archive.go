package kube

import (
	"cmp"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
)

// Archives configures how an init container fetches an application's archive into its pods. The
// zero value refuses archives.
type Archives struct {
	// Hosts are the allowed hosts.
	Hosts archive.Hosts
	// FetchImage is the console's image, which has the program elasticjob.
	FetchImage string
	// CacheClaim is a PersistentVolumeClaim that keeps fetched archives for other pods, or "".
	CacheClaim string
	// Authority is a ConfigMap with certificate authorities to trust in addition to the ones in the
	// console's image, or "".
	Authority string
	// RuntimeImage is for applications with an archive and without an image.
	RuntimeImage string
}

const (
	// fetchContainer is the name of the init container. It exits with fetchRefused if a retry is useless.
	fetchContainer = "fetch"
	fetchRefused   = 78
	// fetchProgram is its program.
	fetchProgram = "/elasticjob"
	// archiveVolume is mounted at archiveFolder, where the program starts.
	archiveVolume = "archive"
	archiveFolder = "/app"
	// Only the init container has these.
	cacheVolume, cacheFolder         = "archive-cache", "/cache"
	authorityVolume, authorityFolder = "archive-authority", "/authority"
	// trustedFolders is the variable with the certificate folders of Go programs.
	trustedFolders, systemFolder = "SSL_CERT_DIR", "/etc/ssl/certs"
	// archiveSize has room for the archive, its content, and the overhead of many small files.
	archiveSize = 1536 << 20
	// fetchMemory is the minimum for fetching: expanding an archive of xz -9, and the console itself.
	fetchMemory = 128 << 20
	// fetchGarbage is the garbage collector's limit, below fetchMemory.
	fetchGarbage = "100MiB"
)

// check refuses an application whose archive can't be fetched for a job.
func (a Archives) check(j cloud.Job, app cloud.App) error {
	if !app.Fetched() {
		return refuse("appURL", "the address of application %q can't be fetched; use https, or remove it and put the program into the image", app.Name)
	}
	if err := (archive.Fetcher{Hosts: a.Hosts}).Check(app.URL, app.SHA256); err != nil {
		return refuse("appURL", "application %q: %s", app.Name, archive.Reason(err))
	}
	command, _ := startOf(j, app)
	switch {
	case a.FetchImage == "":
		return refuse("appURL", "application %q has an archive, but fetching is off; start the console with --cloud-fetch-image, the image of this console", app.Name)
	case app.Image == "" && a.RuntimeImage == "":
		return refuse("image", "application %q has an archive but no image to run it in; give one, or start the console with --cloud-runtime-image", app.Name)
	case len(command) == 0:
		return refuse("bootstrapScript", "application %q has an archive but no program to start; give bootstrapScript, such as bin/start.sh, or command", app.Name)
	}
	return nil
}

// prepare makes a pod fetch its archive before its program starts. The init container has the
// program's rights, but not its variables and Secrets.
func (a Archives) prepare(spec *corev1.PodSpec, app cloud.App) {
	program := &spec.Containers[0]
	program.Image, program.WorkingDir = cmp.Or(app.Image, a.RuntimeImage), archiveFolder
	mount := corev1.VolumeMount{Name: archiveVolume, MountPath: archiveFolder}
	program.VolumeMounts = append(program.VolumeMounts, mount)
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: archiveVolume, VolumeSource: corev1.VolumeSource{
		EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: resource.NewQuantity(archiveSize, resource.BinarySI)},
	}})
	args := []string{"cloud", "fetch", "--url=" + app.URL, "--sha256=" + app.SHA256, "--hosts=" + strings.Join(a.Hosts, ","), "--to=" + archiveFolder}
	mounts, env := []corev1.VolumeMount{mount}, []corev1.EnvVar{{Name: "GOMEMLIMIT", Value: fetchGarbage}}
	if a.CacheClaim != "" && app.CacheEnable {
		args = append(args, "--cache="+cacheFolder)
		mounts = append(mounts, corev1.VolumeMount{Name: cacheVolume, MountPath: cacheFolder})
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: cacheVolume, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: a.CacheClaim},
		}})
	}
	if a.Authority != "" {
		env = append(env, corev1.EnvVar{Name: trustedFolders, Value: systemFolder + ":" + authorityFolder})
		mounts = append(mounts, corev1.VolumeMount{Name: authorityVolume, MountPath: authorityFolder, ReadOnly: true})
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: authorityVolume, VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: a.Authority}},
		}})
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "$", "$$") // they contain no references to variables
	}
	needs := *program.Resources.DeepCopy()
	if needs.Limits.Memory().Value() < fetchMemory {
		memory := *resource.NewQuantity(fetchMemory, resource.BinarySI)
		needs.Limits[corev1.ResourceMemory], needs.Requests[corev1.ResourceMemory] = memory, memory
	}
	spec.InitContainers = []corev1.Container{{
		Name: fetchContainer, Image: a.FetchImage, ImagePullPolicy: corev1.PullIfNotPresent, Command: []string{fetchProgram}, Args: args, Resources: needs,
		Env:          env,
		VolumeMounts: mounts, TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext: program.SecurityContext.DeepCopy(),
	}}
}

// fetchRule fails a shard at once if its archive was refused.
func fetchRule() batchv1.PodFailurePolicyRule {
	return batchv1.PodFailurePolicyRule{Action: batchv1.PodFailurePolicyActionFailIndex, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{
		ContainerName: new(fetchContainer), Operator: batchv1.PodFailurePolicyOnExitCodesOpIn, Values: []int32{fetchRefused},
	}}
}

// failedInit returns the init container that kept the pod from starting, or nil. A failure of ours ends a
// pod that won't be restarted, even before its phase shows that; other init containers may be restarted.
func failedInit(pod *corev1.Pod) *corev1.ContainerStatus {
	for i, c := range pod.Status.InitContainerStatuses {
		if end := c.State.Terminated; end != nil && end.ExitCode != 0 && (c.Name == fetchContainer || pod.Status.Phase == corev1.PodFailed) {
			return &pod.Status.InitContainerStatuses[i]
		}
	}
	return nil
}

// unprepared returns why an init container keeps a pod from starting, or "". stays is true if that
// won't pass by itself.
func unprepared(pod *corev1.Pod) (message string, stays bool) {
	for _, c := range pod.Status.InitContainerStatuses {
		end := c.State.Terminated
		if end == nil && c.State.Waiting != nil {
			end = c.LastTerminationState.Terminated
		}
		wait := ""
		if w := c.State.Waiting; w != nil && w.Reason != "PodInitializing" && w.Reason != "ContainerCreating" {
			wait, stays = joined(w.Reason, w.Message), isStuck(w.Reason)
		}
		switch failed := end != nil && end.ExitCode != 0; {
		case failed:
			return cut(initFailure(pod, c.Name, end), maxCause), stays
		case wait != "":
			return cut(wait, maxCause), stays
		}
	}
	return "", false
}

func initFailure(pod *corev1.Pod, name string, end *corev1.ContainerStateTerminated) string {
	what := "init container " + name
	if name == fetchContainer {
		what = "the archive was not fetched"
	}
	return cut(what+": "+failure(pod, end), maxCause)
}
