{{/* Names do not depend on the release: there is one scheduler, and one lease, in a namespace. */}}
{{- define "elasticjob.name" -}}elasticjob-console{{- end -}}

{{/* Of what belongs to the whole cluster: each release has its own. */}}
{{- define "elasticjob.clusterName" -}}elasticjob-console-{{ .Release.Namespace }}{{- end -}}

{{- define "elasticjob.selector" -}}
app.kubernetes.io/name: elasticjob-console
{{- end -}}

{{- define "elasticjob.labels" -}}
{{ include "elasticjob.selector" . }}
app.kubernetes.io/part-of: elasticjob
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "elasticjob.console" -}}
- name: console
  expression: request.userInfo.username == "system:serviceaccount:{{ .Release.Namespace }}:{{ include "elasticjob.name" . }}"
{{- end -}}

{{/* All that the scheduler may do, see docs/cloud-operations.md. */}}
{{- define "elasticjob.rules" -}}
{{ include "elasticjob.runRules" . }}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [elasticjob-cloud]
  verbs: [get, update]
{{- end -}}

{{/* Of that, what it needs where it has no lease. */}}
{{- define "elasticjob.runRules" -}}
- apiGroups: [cloud.elasticjob.dev]
  resources: [elasticjobs, elasticjobapps]
  verbs: [get, list, watch, create, update, patch, delete]
- apiGroups: [cloud.elasticjob.dev]
  resources: [elasticjobs/status, elasticjobapps/status]
  verbs: [update, patch]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, delete]
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [""]
  resources: [events]
  verbs: [list]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- define "elasticjob.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
