package app

import (
	"regexp"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// want is what a field must be, in English and in another language.
type want struct {
	text *regexp.Regexp
	says func(l i18n.Lang, values []string) string
}

// What a field must be is said in English by the packages that check it. wants says
// it in another language; a text with values is found by its pattern.
var wants = []want{
	{wanted(`a name without spaces around it`), plain(i18n.Lang.WantName)},
	{wanted(`at most ([\d,]+) characters`), one(i18n.Lang.WantAtMost)},
	{wanted(`read, operate or configure`), plain(i18n.Lang.WantScope)},
	{wanted(`at most (\w+), because the account can't do more`), one(i18n.Lang.WantScopeOfRole)},
	{wanted(`a time such as (\S+), in the future and at most 366 days away`), one(i18n.Lang.WantExpiry)},
	{wanted(`a query that the list understands: (.*)`), one(i18n.Lang.WantQuery)},
	{wanted(`characters that can be printed, and no slash`), plain(i18n.Lang.WantPrintable)},
	{wanted(`host:port, several separated by commas;.*`), plain(i18n.Lang.WantServers)},
	{wanted(`the folder in ZooKeeper below which .*`), plain(i18n.Lang.WantNamespace)},
	{wanted(`given again, or empty, because .*`), plain(i18n.Lang.WantAgain)},
	{wanted(`user:password, or nothing`), plain(i18n.Lang.WantDigest)},
	{wanted(`certificates of at most 15,000 bytes each`), plain(i18n.Lang.WantCertificates)},
	{wanted(`mysql, postgres or sqlite`), plain(i18n.Lang.WantKind)},
	{wanted(`nothing, and no port and no account: a file has none`), plain(i18n.Lang.WantFileAlone)},
	{wanted(`the name of a file in the data folder, such as trace.db`), plain(i18n.Lang.WantFile)},
	{wanted(`a host's name or address, and nothing else`), plain(i18n.Lang.WantHost)},
	{wanted(`1 to 65535, or 0 for the usual one`), plain(i18n.Lang.WantPort)},
	{wanted(`the database's name`), plain(i18n.Lang.WantDatabase)},
	{wanted(`an account, with a password of at most 400 characters`), plain(i18n.Lang.WantAccount)},
	{wanted(`an option that is known; (.*) has: (.*)`), two(i18n.Lang.WantOption)},
	{wanted(`a ZooKeeper node name without "/" and "@-@" .*`), plain(i18n.Lang.WantNode)},
	{wanted(`a whole number from (-?\d+) to (-?\d+)`), two(i18n.Lang.WantWhole)},
	{wanted(`a number from (\S+) to (\S+)`), two(i18n.Lang.WantAmount)},
	{wanted(`(\d+) to (\d+) characters`), two(i18n.Lang.WantCharacters)},
	{wanted(`an application that is registered; .*`), plain(i18n.Lang.WantRegistered)},
	{wanted(`name=value on each line`), plain(i18n.Lang.WantNameValue)},
	{wanted(`item=value pairs separated by commas .*`), plain(i18n.Lang.WantPairs)},
	{wanted(`valid UTF-8`), plain(i18n.Lang.WantUtf8)},
	{wanted(`one line of text`), plain(i18n.Lang.WantLine)},
	{wanted(`the name of a listener`), plain(i18n.Lang.WantListener)},
	{wanted(`a key that is not empty, and valid UTF-8`), plain(i18n.Lang.WantKey)},
	{wanted(`an expression with the same meaning in all versions of Quartz: .*`), plain(i18n.Lang.WantCronAlike)},
	{wanted(`six or seven fields of Quartz, seconds first .*`), plain(i18n.Lang.WantCron)},
	{wanted(`a Quartz expression: .*`), plain(i18n.Lang.WantCron)},
	{wanted(`an expression that fires at some time`), plain(i18n.Lang.WantFires)},
	{wanted(`an expression that fires at some time within .*`), plain(i18n.Lang.WantFiresWithin)},
	{wanted(`a time later than (.*)`), one(i18n.Lang.WantLaterThan)},
	{wanted(`a date such as 2026-12-25, a range such as .*`), plain(i18n.Lang.WantDays)},
	{wanted(`less than all seven weekdays`), plain(i18n.Lang.WantWeek)},
	{wanted(`at most (\d+) bytes`), one(i18n.Lang.WantAtMostBytes)},
	{wanted(`a duration from (\S+) to (\S+), such as 30s`), two(i18n.Lang.WantDuration)},
	{wanted(`a duration from (\S+) to (\S+), or -1 for never`), two(i18n.Lang.WantDurationOr)},
	{wanted(`a duration from (\S+) to (\S+)`), two(i18n.Lang.WantDurationOf)},
	{wanted(`less than (\S+), half the smallest gap between fires`), one(i18n.Lang.WantHalfGap)},
	{wanted(`queue, one, skip or cancel`), plain(i18n.Lang.WantOverlaps)},
	{wanted(`each, or a job without cron`), plain(i18n.Lang.WantEachWithout)},
	{wanted(`each, or a job with monitorExecution`), plain(i18n.Lang.WantEachMonitored)},
	{wanted(`GMT with an offset, such as GMT\+8 or GMT-03:30, or nothing; .*`), plain(i18n.Lang.WantZone)},
	{wanted(`an IANA name such as Europe/Berlin; .*`), plain(i18n.Lang.WantZoneName)},
	{wanted(`nothing, or an empty timeZone, which is (.*)`), one(i18n.Lang.WantZoneOnce)},
	{wanted(`nothing while Java agents serve the job, .*: stop (.*), or set timeZone`), one(i18n.Lang.WantZoneJava)},
	{wanted(`nothing: timeZone takes names such as Europe/Berlin`), plain(i18n.Lang.WantZoneField)},
	{wanted(`(\w+) or (\w+)`), two(i18n.Lang.WantEither)},
	{wanted(`shards from 0 to (\d+), below shardingTotalCount; there is no shard (\d+)`), two(i18n.Lang.WantShards)},
	{wanted(`nothing: ElasticJob 2.1.x does not have it`), plain(i18n.Lang.WantNothing2x)},
	{wanted(`an expression: ElasticJob 2.1.x has no jobs without one`), plain(i18n.Lang.WantCron2x)},
	{wanted(`a configuration of ElasticJob (.*)`), one(i18n.Lang.WantGeneration)},
	{wanted(`(".*"), which cannot be changed here`), one(i18n.Lang.WantFixed)},
	{wanted(`the stored value: what this console does not know stays as it is`), plain(i18n.Lang.WantUnknown)},
	{wanted(`the stored value`), plain(i18n.Lang.WantStored)},
	{wanted(`the whole value: .* stands for a secret that was not shown`), plain(i18n.Lang.WantSecret)},
	{wanted(`is given twice`), plain(i18n.Lang.WantOnce)},
	{wanted(`want a JSON object, not (.*)`), one(i18n.Lang.WantObject)},
	{wanted(`parameters aren't valid JSON: (.*)`), one(i18n.Lang.WantJson)},
	{wanted(`parameters have (\d+) bytes; at most (\d+) are allowed.*`), two(i18n.Lang.WantBytes)},
	{wanted(`no such key: jobs of ElasticJob (.*) do not have it`), one(i18n.Lang.WantNoKey)},
}

func wanted(text string) *regexp.Regexp { return regexp.MustCompile(`^(?s:` + text + `)$`) }

func plain(says func(i18n.Lang) string) func(i18n.Lang, []string) string {
	return func(l i18n.Lang, _ []string) string { return says(l) }
}

func one(says func(i18n.Lang, string) string) func(i18n.Lang, []string) string {
	return func(l i18n.Lang, v []string) string { return says(l, v[1]) }
}

func two(says func(i18n.Lang, string, string) string) func(i18n.Lang, []string) string {
	return func(l i18n.Lang, v []string) string { return says(l, v[1], v[2]) }
}

// WantIn translates the Want of a [FieldBody] into a language.
func WantIn(l i18n.Lang, want string) string {
	if l == i18n.English {
		return want
	}
	if said, ok := refusedIn(l, want); ok {
		return said
	}
	said, ok := wantIn(l, wants, want)
	if !ok {
		said, _ = wantIn(l, paramWants, want)
	}
	return said
}

// wantIn says a text in a language, if it is known.
func wantIn(l i18n.Lang, known []want, text string) (said string, ok bool) {
	for _, w := range known {
		if values := w.text.FindStringSubmatch(text); values != nil {
			return w.says(l, values), true
		}
	}
	return text, false
}
