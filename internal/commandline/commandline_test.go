package commandline

import "testing"

func TestW17ShellWord(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/srv/job.sh --day 1 'a b' a|b":       "",
		"sh -c 'a | b'":                       "",
		"/usr/bin/env BASH=1 a":               "",
		"/srv/job.sh | mail ops":              "|",
		"/srv/job.sh > /dev/null":             ">",
		"/srv/job.sh 2>&1":                    "2>&1",
		"cd /srv; ./job.sh":                   "/srv;",
		"/srv/job.sh && /srv/other.sh":        "&&",
		"/srv/job.sh $HOME/in":                "$HOME/in",
		"~/job.sh":                            "~/job.sh",
		"awk '{print $1}' in.txt \"$(date)\"": "$(date)",
	} {
		words, err := Split(line)
		if got := ShellWord(words); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
}
