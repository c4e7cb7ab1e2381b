//go:build !race

package coreagent_test

const underRace = false
