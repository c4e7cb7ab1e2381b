package cloud

import (
	"crypto/sha1" // For UUIDs of version 5, not for security.
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// maxSlug is the longest name that is its own slug, and cutSlug the part kept of a longer one. With
	// an instant and a five-digit shard appended, a name stays below 63 characters, the limit of a label.
	maxSlug = 40
	cutSlug = 31
	// sumDigits is the length of the checksum that distinguishes names after cutting or lower-casing.
	sumDigits = 8
	// keyDigits is the length of a manual run's name without the job.
	keyDigits = 10
	// manualLetter comes before those digits. No instant begins with a letter.
	manualLetter = "x"
)

var (
	dnsLabel = regexp.MustCompile(`\A[a-z0-9]([a-z0-9-]*[a-z0-9])?\z`)
	// summed matches names that end like a name with a checksum. We add a checksum to them too,
	// because otherwise a job's name could equal the slug of another job.
	summed = regexp.MustCompile(`-[0-9a-f]{8}\z`)
)

// Slug returns the name of a job or an application as a DNS label: the name itself if it's a label
// of at most 40 characters, else its beginning and eight digits of a checksum.
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

// RunName returns the name of the only run for a fire time, at most 51 characters.
func RunName(job string, fire time.Time) string {
	return fmt.Sprintf("%s-%010d", Slug(job), fire.Unix())
}

// ManualRunName returns the name of the run for a request's key.
func ManualRunName(job, key string) string {
	sum := sha256.Sum256([]byte(key))
	return Slug(job) + "-" + manualLetter + hex.EncodeToString(sum[:])[:keyDigits]
}

// DaemonRunName returns the name of the only run of a DAEMON job.
func DaemonRunName(job string) string { return Slug(job) + "-" + string(OriginDaemon) }

// CollisionName returns another name for a run if a foreign run has taken its name. It still has
// the fire time. There's no third name.
func CollisionName(run string) string {
	own := ownPart(run)
	return run[:len(run)-len(own)] + "y" + own
}

// FireOf returns the fire time in a run's name. It's false for a manual run or a foreign name.
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

// RowRunID returns the run id for history rows: unique within the job, and short enough for the
// column. For "settlement-1795514400" it is "cloud-1795514400".
func RowRunID(run string) string {
	return "cloud-" + ownPart(run)
}

// taskID returns ElasticJob's five-part id: job@-@shard@-@type@-@machine@-@uid.
func taskID(job string, shard int, kind, node, uid string) string {
	if node == "" {
		node = "unassigned"
	}
	return strings.Join([]string{job, strconv.Itoa(shard), kind, node, uid}, "@-@")
}

// rowSpace is the namespace of our row ids, a random UUID.
var rowSpace = [16]byte{0x5d, 0x0f, 0x6a, 0x9e, 0x1c, 0x44, 0x4b, 0x7a, 0x9e, 0x21, 0x7b, 0x30, 0x6d, 0xe8, 0x52, 0xc1}

// rowID returns a UUID of version 5. It only depends on the task and the step, so that our rows
// stay the same if another leader reports them again.
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
