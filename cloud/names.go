package cloud

import (
	"crypto/sha1" // UUIDs of version 5 are made with it; it protects nothing.
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// maxSlug is the longest name that is its own slug, cutSlug what is left of a longer one.
	// With an instant and a five-digit shard behind it, a name stays below the 63
	// characters of a label.
	maxSlug = 40
	cutSlug = 31
	// sumDigits tell apart names that look the same when cut or in lower case.
	sumDigits = 8
	// keyDigits make the name of a manual run.
	keyDigits = 10
	// manualLetter stands before them. No instant begins with a letter.
	manualLetter = "x"
)

var (
	dnsLabel = regexp.MustCompile(`\A[a-z0-9]([a-z0-9-]*[a-z0-9])?\z`)
	// summed is what ends like a name with a sum. Such a name gets a sum of its own, or
	// somebody could choose a job's name that is the slug of another one.
	summed = regexp.MustCompile(`-[0-9a-f]{8}\z`)
)

// Slug is the name of a job or an application where only DNS labels are allowed: the name
// itself if it is one of at most 40 characters, else what is left of it with eight digits
// of a sum.
func Slug(name string) string {
	if len(name) <= maxSlug && dnsLabel.MatchString(name) && !summed.MatchString(name) {
		return name
	}
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			r = '-'
		}
		if b.WriteRune(r); b.Len() == cutSlug {
			break
		}
	}
	sum := sha256.Sum256([]byte(name))
	digits := hex.EncodeToString(sum[:])[:sumDigits]
	if kept := strings.Trim(b.String(), "-"); kept != "" {
		return kept + "-" + digits
	}
	return "job-" + digits
}

// RunName is the name of the run of a fire time: there is no other one for it. It is at
// most 51 characters.
func RunName(job string, fire time.Time) string {
	return fmt.Sprintf("%s-%010d", Slug(job), fire.Unix())
}

// ManualRunName is the name of the run that a request's key names.
func ManualRunName(job, key string) string {
	sum := sha256.Sum256([]byte(key))
	return Slug(job) + "-" + manualLetter + hex.EncodeToString(sum[:])[:keyDigits]
}

// DaemonRunName is the name of the one run of a DAEMON job.
func DaemonRunName(job string) string { return Slug(job) + "-" + string(OriginDaemon) }

// CollisionName is the name of a run whose own name somebody else's run has. It tells the
// fire time as well, and there is no third one.
func CollisionName(run string) string {
	own := ownPart(run)
	return run[:len(run)-len(own)] + "y" + own
}

// FireOf is the fire time that a run's name says; false if the run is a manual one or the
// name is none of ours.
func FireOf(run string) (time.Time, bool) {
	own := ownPart(run)
	if len(own) < 10 {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseInt(strings.TrimPrefix(own, "y"), 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// RowRunID is what rows of the history call a run: unique within the job, and short enough
// for their column. Of "settlement-1795514400" it is "cloud-1795514400".
func RowRunID(run string) string {
	return "cloud-" + ownPart(run)
}

// taskID is ElasticJob's five-part id: job@-@shard@-@type@-@machine@-@uid.
func taskID(job string, shard int, kind, node, uid string) string {
	if node == "" {
		node = "unassigned"
	}
	return strings.Join([]string{job, strconv.Itoa(shard), kind, node, uid}, "@-@")
}

// rowSpace is the namespace of our row ids, a random UUID.
var rowSpace = [16]byte{0x5d, 0x0f, 0x6a, 0x9e, 0x1c, 0x44, 0x4b, 0x7a, 0x9e, 0x21, 0x7b, 0x30, 0x6d, 0xe8, 0x52, 0xc1}

// rowID is a UUID of version 5, the same for the same task and step whoever asks: a
// leader that reports again what another one reported changes nothing.
func rowID(uid, step string) string {
	h := sha1.New()
	h.Write(rowSpace[:])
	h.Write([]byte(uid + "/" + step))
	var u [16]byte
	copy(u[:], h.Sum(nil))
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
