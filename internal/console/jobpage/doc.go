// Package jobpage has the parts that all pages of one job share: the head with its actions, the tabs,
// the story of instances that left, and the addresses of related pages.
//
// Unlike package ui it reads the registry and the history, through [app.Console].
package jobpage
