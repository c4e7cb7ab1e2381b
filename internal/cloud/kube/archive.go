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

// Archives say how the archives of applications get into their pods: an init container
// fetches them. The zero value refuses them.
type Archives struct {
	// Hosts are those that archives are fetched from.
	Hosts archive.Hosts
	// FetchImage is the image of the console, whose entry point is its program.
	FetchImage string
	// CacheClaim is the PersistentVolumeClaim in which fetched archives are kept for other
	// pods; "" for none.
	CacheClaim string
	// Authority is the ConfigMap with certificates of authorities that the hosts' may be from,
	// besides those that the image of the console trusts; "" for none.
	Authority string
	// RuntimeImage is the one of applications that have an archive and name no image.
	RuntimeImage string
}

const (
	// fetchContainer is the name of the init container, fetchRefused how it ends if another
	// attempt is useless.
	fetchContainer = "fetch"
	fetchRefused   = 78
	// archiveVolume is mounted at archiveFolder, where the program starts.
	archiveVolume = "archive"
	archiveFolder = "/app"
	// The init container alone has these.
	cacheVolume, cacheFolder         = "archive-cache", "/cache"
	authorityVolume, authorityFolder = "archive-authority", "/authority"
	// trustedFolders names to programs of Go the folders of certificates that they trust.
	trustedFolders, systemFolder = "SSL_CERT_DIR", "/etc/ssl/certs"
	// archiveSize has room for the archive, for what is in it, and for what many small files
	// take besides.
	archiveSize = 1536 << 20
	// fetchMemory is the least that fetching gets: what xz -9 needs to be expanded, and the
	// console itself.
	fetchMemory = 128 << 20
	// fetchGarbage has the garbage collector keep below it.
	fetchGarbage = "100MiB"
)

// check refuses an application whose archive no pod would fetch for a job.
func (a Archives) check(j cloud.Job, app cloud.App) error {
	if !app.Fetched() {
		return refuse("appURL", "the address of application %q is not fetched; give one of https, or remove it and put the program into the image", app.Name)
	}
	if err := (archive.Fetcher{Hosts: a.Hosts}).Check(app.URL, app.SHA256); err != nil {
		return refuse("appURL", "application %q: %s", app.Name, archive.Reason(err))
	}
	command, _ := startOf(j, app)
	switch {
	case a.FetchImage == "":
		return refuse("appURL", "application %q has an archive, and nothing fetches it; start the console with --cloud-fetch-image, the image of this console", app.Name)
	case app.Image == "" && a.RuntimeImage == "":
		return refuse("image", "application %q has an archive and no image that it runs in; give one, or start the console with --cloud-runtime-image", app.Name)
	case len(command) == 0:
		return refuse("bootstrapScript", "application %q has an archive, and nothing says what of it is started; give bootstrapScript, such as bin/start.sh, or command", app.Name)
	}
	return nil
}

// prepare has a pod fetch its archive before its program begins. What the init container may
// do is what the program may, and it sees nothing of the program's variables and Secrets.
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
		args[i] = strings.ReplaceAll(args[i], "$", "$$") // Nothing in them names a variable.
	}
	needs := *program.Resources.DeepCopy()
	if needs.Limits.Memory().Value() < fetchMemory {
		memory := *resource.NewQuantity(fetchMemory, resource.BinarySI)
		needs.Limits[corev1.ResourceMemory], needs.Requests[corev1.ResourceMemory] = memory, memory
	}
	spec.InitContainers = []corev1.Container{{
		Name: fetchContainer, Image: a.FetchImage, ImagePullPolicy: corev1.PullIfNotPresent, Args: args, Resources: needs,
		Env:          env,
		VolumeMounts: mounts, TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext: program.SecurityContext.DeepCopy(),
	}}
}

// fetchRule fails a shard at once whose archive was refused.
func fetchRule() batchv1.PodFailurePolicyRule {
	return batchv1.PodFailurePolicyRule{Action: batchv1.PodFailurePolicyActionFailIndex, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{
		ContainerName: new(fetchContainer), Operator: batchv1.PodFailurePolicyOnExitCodesOpIn, Values: []int32{fetchRefused},
	}}
}

// failedInit is the init container that has kept the pod from beginning, nil if there is
// none. That ours has failed is the end of a pod that is not started again, before its phase
// says so; others might be started again.
func failedInit(pod *corev1.Pod) *corev1.ContainerStatus {
	for i, c := range pod.Status.InitContainerStatuses {
		if end := c.State.Terminated; end != nil && end.ExitCode != 0 && (c.Name == fetchContainer || pod.Status.Phase == corev1.PodFailed) {
			return &pod.Status.InitContainerStatuses[i]
		}
	}
	return nil
}

// unprepared says which init container keeps a pod from beginning and why, and whether that
// does not pass by itself; "" if none does.
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

// initFailure is the cause of an init container that has failed.
func initFailure(pod *corev1.Pod, name string, end *corev1.ContainerStateTerminated) string {
	what := "init container " + name
	if name == fetchContainer {
		what = "the archive was not fetched"
	}
	return cut(what+": "+failure(pod, end), maxCause)
}
