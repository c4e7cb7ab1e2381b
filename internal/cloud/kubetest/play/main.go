// Command play runs in the containers of a real node. It follows the variable PLAY like kwok's
// stages for simulated pods; PLAY_1 is only for the pod of index 1. Without them it runs until an
// HTTP request to end, or SIGTERM. With the argument "pause" it holds a pod's namespaces.
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// line is the log of each simulated pod, the same as kubetest.LogLine.
const line = "the log of a played pod"

// address is for requests to end: /end/7 ends with exit code 7.
const address = ":8099"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "pause" {
		wait()
		return
	}
	fmt.Fprintln(os.Stdout, line)
	os.Exit(do(play()))
}

func play() string {
	index := os.Getenv("ELASTICJOB_INDEX")
	if own := os.Getenv("PLAY_" + index); own != "" {
		return own
	}
	return os.Getenv("PLAY")
}

func do(what string) (code int) {
	switch {
	case what == "":
		go serve()
		wait()
		return 143
	case what == "deaf":
		signal.Ignore(syscall.SIGTERM)
		serve()
		return 1
	case what == "oom":
		return devour()
	case strings.HasPrefix(what, "exit-"):
		code, err := strconv.Atoi(strings.TrimPrefix(what, "exit-"))
		if err == nil {
			if code != 0 {
				fmt.Fprintf(os.Stdout, "it ends with %d\n", code)
			}
			return code
		}
	}
	fmt.Fprintf(os.Stderr, "PLAY is %q; say exit-N, oom, deaf or nothing\n", what)
	return 2
}

func wait() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	<-told
}

func serve() {
	http.HandleFunc("/end/{code}", func(_ http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.PathValue("code"))
		if err != nil {
			code = 2
		}
		fmt.Fprintln(os.Stdout, "ended by a test")
		os.Exit(code)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe(address, nil))
}

// devour allocates memory until the node's kernel kills it.
func devour() int {
	const step, most = 1 << 20, 1 << 30
	var taken [][]byte
	for range most / step {
		b := make([]byte, step)
		for i := range b {
			b[i] = 1
		}
		taken = append(taken, b)
	}
	fmt.Fprintf(os.Stdout, "%d MiB were taken, and nothing has stopped that\n", len(taken))
	return 1
}
