// Package jobs is the pages about jobs: the list, one job, and the page that
// asks before something that cannot be taken back.
package jobs
