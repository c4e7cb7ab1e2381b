//go:build !race

package local_test

const detects = false
