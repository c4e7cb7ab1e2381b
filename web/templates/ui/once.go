package ui

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
)

// FormField is the field by which a form names itself.
const FormField = "form"

var formID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// NewFormID is a name that no other form has.
func NewFormID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// IsFormID reports whether a text can be one.
func IsFormID(id string) bool { return formID.MatchString(id) }
