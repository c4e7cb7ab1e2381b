package jobconfig

// The types of jobs, as the job's node or, in 2.1.x, its configuration names them.
const (
	TypeSimple   = "SIMPLE"
	TypeDataflow = "DATAFLOW"
	TypeScript   = "SCRIPT"
	TypeHTTP     = "HTTP"
)

// PropTitle is the property with the name of a job for people, one line of at most 100
// characters. Java's agents and consoles don't know it.
const PropTitle = "job.title"

// The properties ([Config.Props]) by which ElasticJob configures these types. Time
// limits are in milliseconds.
const (
	// PropStreaming is of Dataflow jobs: "true" fetches and processes until there
	// is nothing left.
	PropStreaming = "streaming.process"
	// PropCommandLine is what a script job runs.
	PropCommandLine = "script.command.line"
	// The request of an HTTP job.
	PropURI            = "http.uri"
	PropMethod         = "http.method"
	PropData           = "http.data"
	PropContentType    = "http.content.type"
	PropConnectTimeout = "http.connect.timeout.milliseconds"
	PropReadTimeout    = "http.read.timeout.milliseconds"
)
