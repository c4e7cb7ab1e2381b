package metrics

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ticks is how many ticks of the processor's clock Linux has in a second.
const ticks = 100

// AddProcess adds metrics of this process, with the names that Prometheus' own library has for them.
// Some are of Linux only.
func (s *Set) AddProcess() {
	began := time.Now()
	s.AddFunc(Gauge, "go_goroutines", "Number of goroutines that currently exist.", func() float64 { return float64(runtime.NumGoroutine()) })
	s.AddFunc(Gauge, "go_memstats_heap_alloc_bytes", "Number of heap bytes allocated and currently in use.", func() float64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	})
	s.AddFunc(Gauge, "process_start_time_seconds", "Start time of the process since unix epoch in seconds.", func() float64 { return float64(began.UnixMilli()) / 1000 })
	if processStat() == nil {
		return
	}
	s.AddFunc(Counter, "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", func() float64 { return statField(11)/ticks + statField(12)/ticks })
	s.AddFunc(Gauge, "process_resident_memory_bytes", "Resident memory size in bytes.", func() float64 { return statField(21) * float64(os.Getpagesize()) })
	s.AddFunc(Gauge, "process_open_fds", "Number of open file descriptors.", func() float64 {
		open, _ := os.ReadDir("/proc/self/fd") // 0 if it can't be read.
		return float64(len(open))
	})
}

// processStat returns the fields of Linux about this process from its state on; nil if there are none.
func processStat() []string {
	text, _ := os.ReadFile("/proc/self/stat") // Only Linux has it.
	_, fields, _ := strings.Cut(string(text), ") ")
	if list := strings.Fields(fields); len(list) > 21 {
		return list
	}
	return nil
}

func statField(at int) float64 {
	fields := processStat()
	if fields == nil {
		return 0
	}
	value, _ := strconv.ParseFloat(fields[at], 64) // Linux writes numbers.
	return value
}
