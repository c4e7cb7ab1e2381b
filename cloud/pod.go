package cloud

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// PodSettings are an application's settings for its pods. The list is closed: an application gets
// nothing else, such as the node's folders or network. Other engines ignore it.
type PodSettings struct {
	// ServiceAccount must be allowed by the engine's policy. Without one a pod has no token.
	ServiceAccount   string   `json:"serviceAccountName,omitempty"`
	ImagePullSecrets []string `json:"imagePullSecrets,omitempty"`
	// EnvFromSecrets and EnvFromConfigMaps are names of objects. Their keys become variables.
	EnvFromSecrets    []string `json:"envFromSecrets,omitempty"`
	EnvFromConfigMaps []string `json:"envFromConfigMaps,omitempty"`
	// NodeSelector are labels that a node must have.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Tolerations  []Toleration      `json:"tolerations,omitempty"`
	// PriorityClass applies if the job has no [PropPriority].
	PriorityClass string `json:"priorityClassName,omitempty"`
	RuntimeClass  string `json:"runtimeClassName,omitempty"`
	// RunAsRoot lets the image choose its user, even root. Without it, an image that runs as root
	// isn't started.
	RunAsRoot bool `json:"runAsRoot,omitempty"`
	// RunAsUser is the number of the user; 0 is the image's.
	RunAsUser int64 `json:"runAsUser,omitempty"`
}

// Toleration allows nodes with a taint of this key and, if set, this value. An empty Effect matches
// all effects.
type Toleration struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect,omitempty"`
}

// Clone returns a deep copy.
func (s PodSettings) Clone() PodSettings {
	s.ImagePullSecrets, s.EnvFromSecrets = slices.Clone(s.ImagePullSecrets), slices.Clone(s.EnvFromSecrets)
	s.EnvFromConfigMaps, s.Tolerations = slices.Clone(s.EnvFromConfigMaps), slices.Clone(s.Tolerations)
	s.NodeSelector = maps.Clone(s.NodeSelector)
	return s
}

const (
	maxPodNames = 32      // of each kind
	maxUser     = 1 << 31 // of Linux, in Kubernetes
)

var (
	objectName = regexp.MustCompile(`\A[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\z`)
	labelKey   = regexp.MustCompile(`\A([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?\z`)
	labelValue = regexp.MustCompile(`\A([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?\z`)
	effects    = []string{"", "NoSchedule", "PreferNoSchedule", "NoExecute"}
)

func (s PodSettings) validate(p *problems) {
	single := map[string]string{"serviceAccountName": s.ServiceAccount, "priorityClassName": s.PriorityClass, "runtimeClassName": s.RuntimeClass}
	for _, field := range slices.Sorted(maps.Keys(single)) {
		if name := single[field]; name != "" && !objectName.MatchString(name) {
			p.refuse("pod."+field, name, "the name of an object: lower case letters, digits, - and .")
		}
	}
	lists := map[string][]string{"imagePullSecrets": s.ImagePullSecrets, "envFromSecrets": s.EnvFromSecrets, "envFromConfigMaps": s.EnvFromConfigMaps}
	for _, field := range slices.Sorted(maps.Keys(lists)) {
		p.few("pod."+field, len(lists[field]))
		for _, name := range lists[field] {
			if !objectName.MatchString(name) {
				p.refuse("pod."+field, name, "the name of an object: lower case letters, digits, - and .")
			}
		}
	}
	p.few("pod.nodeSelector", len(s.NodeSelector))
	for _, key := range slices.Sorted(maps.Keys(s.NodeSelector)) {
		p.label("pod.nodeSelector", key, s.NodeSelector[key])
	}
	p.few("pod.tolerations", len(s.Tolerations))
	for _, t := range s.Tolerations {
		p.label("pod.tolerations", t.Key, t.Value)
		if !slices.Contains(effects, t.Effect) {
			p.refuse("pod.tolerations", t.Effect, "an effect: NoSchedule, PreferNoSchedule, NoExecute or nothing for all")
		}
	}
	if s.RunAsUser < 0 || s.RunAsUser >= maxUser {
		p.refuse("pod.runAsUser", strconv.FormatInt(s.RunAsUser, 10), "the number of a user, or 0 for the image's")
	}
}

func (p *problems) few(field string, n int) {
	if n > maxPodNames {
		p.refuse(field, strconv.Itoa(n)+" entries", fmt.Sprintf("at most %d", maxPodNames))
	}
}

func (p *problems) label(field, key, value string) {
	if !labelKey.MatchString(key) || !labelValue.MatchString(value) {
		p.refuse(field, key+"="+value, "a label, such as example.com/disk=ssd")
	}
}
