package jobconfig

// The types of jobs, as named in the job's node or, in 2.1.x, in its configuration.
const (
	TypeSimple   = "SIMPLE"
	TypeDataflow = "DATAFLOW"
	TypeScript   = "SCRIPT"
	TypeHTTP     = "HTTP"
)

// PropTitle is the property with the job's display name, one line of at most 100 characters. Java
// agents and consoles don't know it.
const PropTitle = "job.title"

// ElasticJob's properties ([Config.Props]) for these types. Time limits are in milliseconds.
const (
	// PropStreaming is for Dataflow jobs. "true" fetches and processes until nothing is left.
	PropStreaming = "streaming.process"
	// PropCommandLine is a script job's command line.
	PropCommandLine = "script.command.line"
	// The request of an HTTP job.
	PropURI            = "http.uri"
	PropMethod         = "http.method"
	PropData           = "http.data"
	PropContentType    = "http.content.type"
	PropConnectTimeout = "http.connect.timeout.milliseconds"
	PropReadTimeout    = "http.read.timeout.milliseconds"
)
