//go:build !unix

package main

import (
	"fmt"
	"os"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

func main() {
	fmt.Fprintln(os.Stderr, "cloudrun: programs are run on Unix alone, where processes have groups and signals")
	os.Exit(task.ExitUsage)
}
