package kubetest

import (
	"fmt"
	"strings"
)

// The plays of a simulated pod, if it doesn't run until [Cluster.EndPod]: values of the variable PLAY.
const (
	PlayWell    = "exit-0"
	PlayFail    = "exit-7"
	PlayNever   = "exit-78" // a code that isn't retried
	PlayOOM     = "oom"
	PlayNoImage = "no-image" // it never starts
	PlayRefused = "fetch-78" // its init container refuses the archive
)

// RefusedLine is the message of PlayRefused's init container.
const RefusedLine = "entry ../outside leads out of the folder"

// playOf is the pod's play: PLAY_INDEX before PLAY.
const playOf = `(.metadata.labels["batch.kubernetes.io/job-completion-index"] // "") as $i | (.spec.containers[0].env // []) | ((map(select(.name == "PLAY_" + $i)) + map(select(.name == "PLAY")))[0].value // "forever")`

// stages are kwok's instructions. A deleted pod first fails with 143, as on a real node, otherwise
// a Job that only replaces failed pods would wait forever.
func stages(logFile string) string {
	var b strings.Builder
	b.WriteString(fixedStages)
	ends := []struct {
		play, phase, reason string
		code                int
	}{
		{PlayWell, "Succeeded", "Completed", 0}, {PlayFail, "Failed", "Error", 7}, {PlayNever, "Failed", "Error", 78}, {PlayOOM, "Failed", "OOMKilled", 137},
	}
	for _, e := range ends {
		stage(&b, "pod-"+e.play, []string{
			exists(false), phase("Running"), in(playOf, e.play),
		}, terminated(e.phase, e.reason, e.code, true))
	}
	stage(&b, "pod-runs", []string{exists(false), phase("Pending"), notIn(playOf, PlayNoImage, PlayRefused), notIn(readyOf, "True")}, `
      conditions:
      - {type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }}}
      - {type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }}}
      - {type: ContainersReady, status: "True", lastTransitionTime: {{ Now | Quote }}}
      containerStatuses:
      {{ range .spec.containers }}
      - {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: true, restartCount: 0, state: {running: {startedAt: {{ Now | Quote }}}}}
      {{ end }}
      phase: Running
      podIP: 10.240.0.9
      startTime: {{ Now | Quote }}
`)
	stage(&b, "pod-has-no-image", []string{exists(false), phase("Pending"), in(playOf, PlayNoImage), notIn(waitOf, "ErrImagePull")}, `
      containerStatuses:
      {{ range .spec.containers }}
      - {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: false, restartCount: 0, state: {waiting: {reason: ErrImagePull, message: "there is no such image"}}}
      {{ end }}
`)
	stage(&b, "pod-"+PlayRefused, []string{exists(false), phase("Pending"), in(playOf, PlayRefused)}, `
      initContainerStatuses:
      {{ range .spec.initContainers }}
      - {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: false, restartCount: 0, state: {terminated: {exitCode: 78, finishedAt: {{ Now | Quote }}, startedAt: {{ Now | Quote }}, reason: Error, message: "`+RefusedLine+`"}}}
      {{ end }}
      containerStatuses:
      {{ range .spec.containers }}
      - {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: false, restartCount: 0, state: {waiting: {reason: PodInitializing}}}
      {{ end }}
      phase: Failed
`)
	stage(&b, "pod-ends", []string{exists(true), phase("Running")}, terminated("Failed", "Error", 143, true))
	stage(&b, "pod-never-began", []string{exists(true), phase("Pending")}, terminated("Failed", "ContainerStatusUnknown", 137, false))
	fmt.Fprintf(&b, logs, logFile)
	return b.String()
}

const (
	readyOf = `.status.conditions.[] | select( .type == "Ready" ) | .status`
	waitOf  = `.status.containerStatuses[0].state.waiting.reason // ""`
)

func exists(deleted bool) string {
	if deleted {
		return `{key: .metadata.deletionTimestamp, operator: Exists}`
	}
	return `{key: .metadata.deletionTimestamp, operator: DoesNotExist}`
}

func phase(values ...string) string { return in(".status.phase", values...) }

func in(key string, values ...string) string {
	return fmt.Sprintf("{key: '%s', operator: In, values: [%s]}", key, quoted(values))
}

func notIn(key string, values ...string) string {
	return fmt.Sprintf("{key: '%s', operator: NotIn, values: [%s]}", key, quoted(values))
}

func quoted(values []string) string { return `"` + strings.Join(values, `", "`) + `"` }

func stage(b *strings.Builder, name string, match []string, status string) {
	fmt.Fprintf(b, `---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: %s}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - %s
  next:
    statusTemplate: |%s`, name, strings.Join(match, "\n    - "), status)
}

func terminated(phase, reason string, code int, began bool) string {
	times := "finishedAt: {{ Now | Quote }}, startedAt: {{ Now | Quote }}, "
	if !began {
		times = ""
	}
	return fmt.Sprintf(`
      containerStatuses:
      {{ range .spec.containers }}
      - {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: false, restartCount: 0, started: false, state: {terminated: {exitCode: %d, %sreason: %s, message: "played"}}}
      {{ end }}
      phase: %s
`, code, times, reason, phase)
}

const fixedStages = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-begins}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"]}
  next:
    statusTemplate: |
      addresses:
      - {address: {{ NodeIP | Quote }}, type: InternalIP}
      allocatable: {cpu: "1000", memory: 1Ti, pods: "100000"}
      capacity: {cpu: "1000", memory: 1Ti, pods: "100000"}
      daemonEndpoints: {kubeletEndpoint: {Port: {{ NodePort }}}}
      conditions:
      - {type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }}}
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-goes}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: Exists}
    - {key: '.status.phase', operator: NotIn, values: [Pending, Running]}
  next:
    delete: true
`

// logs gives all pods the same log.
const logs = `---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: {name: one-for-all}
spec:
  logs:
  - {logsFile: %s, follow: false}
`
