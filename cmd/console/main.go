package main

import (
	"os"
	_ "time/tzdata" // Cron zones work on an image without a zone database.
)

func main() { os.Exit(program.Main(&commandLine{})) }
