package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// console is a process of the console, and a visitor with a browser and a token of its API.
type console struct {
	b      *bench
	cmd    *exec.Cmd
	began  time.Time
	site   string
	data   string
	remove func() error // removes data
	client http.Client
	token  string
}

// launch starts the console on a free port with an empty data folder and waits for its login page.
func (b *bench) launch(args ...string) *console {
	free := must(net.Listen("tcp", "127.0.0.1:0"))
	listen := free.Addr().String()
	check(free.Close())
	c := &console{b: b, site: "http://" + listen}
	c.data, c.remove = tempFolder()
	c.client.Jar = must(cookiejar.New(nil))
	c.cmd = exec.Command(b.options.console, append(args, "--listen="+listen, "--data="+c.data, "--log-level=error")...)
	c.cmd.Stderr = os.Stderr
	c.began = time.Now()
	if err := c.cmd.Start(); err != nil {
		closing(c.remove)
		check(err)
	}
	err := attempt(func() {
		b.poll("login page", time.Minute, 5*time.Millisecond, func() bool {
			req := must(http.NewRequestWithContext(b, http.MethodGet, c.site+"/login", nil))
			resp, err := c.client.Do(req)
			if err != nil {
				return false
			}
			defer resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		})
	})
	if err != nil {
		c.end(os.Kill)
		check(err)
	}
	return c
}

// end ends the process: os.Interrupt in order, os.Kill as a crash.
func (c *console) end(how os.Signal) {
	_ = c.cmd.Process.Signal(how)
	_ = c.cmd.Wait() // It may have been killed.
	closing(c.remove)
}

func (c *console) usage() usage { return usageOf(c.cmd.Process.Pid) }

// signIn signs in to the API and the pages, with the account that the console comes with.
func (c *console) signIn() {
	post := func(path, kind, body string) string {
		req := must(http.NewRequestWithContext(c.b, http.MethodPost, c.site+path, strings.NewReader(body)))
		req.Header.Set("Content-Type", kind)
		resp, err := c.client.Do(req)
		check(err)
		defer resp.Body.Close()
		return string(must(io.ReadAll(resp.Body)))
	}
	post("/login", "application/x-www-form-urlencoded", url.Values{"username": {"root"}, "password": {"root"}, "next": {"/login"}}.Encode())
	var answer struct{ AccessToken string }
	check(json.Unmarshal([]byte(post("/api/login", "application/json", `{"username":"root","password":"root"}`)), &answer))
	c.token = answer.AccessToken
}

// answer is the response to a GET request.
type answer struct {
	text        string
	total       string // number of rows on all pages of a list
	status      int
	first, last float64 // milliseconds until the first byte and the end
}

// ask sends a GET request, with the token for the API and the cookie for a page.
func (c *console) ask(path string) (a answer) {
	req := must(http.NewRequestWithContext(c.b, http.MethodGet, c.site+path, nil))
	req.Header.Set("Accept-Encoding", "identity")
	if strings.HasPrefix(path, "/api/") {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	began := time.Now()
	resp, err := c.client.Do(req)
	check(err)
	defer resp.Body.Close()
	a.first = millis(time.Since(began))
	a.text = string(must(io.ReadAll(resp.Body)))
	a.last = millis(time.Since(began))
	a.total, a.status = resp.Header.Get("X-Total-Count"), resp.StatusCode
	if strings.HasPrefix(resp.Request.URL.Path, "/login") {
		fail("GET %s: not signed in", path)
	}
	return a
}

// get is ask for an answer that must exist.
func (c *console) get(path string) answer {
	a := c.ask(path)
	if a.status != http.StatusOK {
		fail("GET %s: status %d", path, a.status)
	}
	return a
}

// The jobs that a console is measured with.
const (
	snapshotJobs    = 10_000
	snapshotItems   = 10
	snapshotServers = 3
	// sessionPing is how often the sessions of a console ping.
	sessionPing = 10 * time.Second
)

// pings is the most that the sessions of the console and the bench can ping in a time, and the
// question for the number of requests.
func pings(d time.Duration) float64 { return 2*(d.Seconds()/sessionPing.Seconds()+1) + 1 }

// plantJobs writes the jobs into namespace "bench". Their instances belong to the session of the
// scene's client, because a console shows jobs of instances without a session as blocked.
func (s *scene) plantJobs(jobs int) {
	must(s.client.CreateAll(s, namespace("bench").Root(), nil, zk.Persistent))
	together(32, jobs, func(n int) {
		job := benchJob(n)
		add := func(node, data string) zk.Op { return zk.CreateOp(node, []byte(data), zk.Persistent) }
		live := func(node, data string) zk.Op { return zk.CreateOp(node, []byte(data), zk.Ephemeral) }
		id := func(n int) string { return fmt.Sprintf("10.0.0.%d@-@1", n%snapshotServers) }
		ops := []zk.Op{
			add(job.Root(), "com.example.MyJob"), add(job.Config(), jobConfig(job, "")),
			add(job.Servers(), ""), add(job.Instances(), ""), add(job.Sharding(), ""),
			add(path.Dir(path.Dir(job.LeaderInstance())), ""), add(path.Dir(job.LeaderInstance()), ""), live(job.LeaderInstance(), id(0)),
		}
		for n := range snapshotServers {
			ip, _, _ := strings.Cut(id(n), "@")
			ops = append(ops, add(job.Server(ip), "ENABLED"), live(job.Instance(id(n)), "jobInstanceId: "+id(n)+"\nserverIp: "+ip+"\n"))
		}
		for item := range snapshotItems {
			ops = append(ops, add(job.Item(item), ""), add(job.ItemInstance(item), id(item)))
		}
		check(s.client.Multi(s, ops...))
	})
}

func benchJob(n int) jobtree.Job { return namespace("bench").Job(fmt.Sprintf("job-%05d", n)) }

// jobConfig is of a job that fires once a year. The jobs of the bench run by their rows only, and
// a console asks ZooKeeper again and again about jobs that should have run.
func jobConfig(job jobtree.Job, description string) string {
	return fmt.Sprintf("cron: 0 0 0 1 1 ?\ndescription: '%s'\nfailover: true\njobName: %s\nmisfire: true\nmonitorExecution: true\nshardingTotalCount: %d\n", description, job.Name(), snapshotItems)
}

// describe changes a job's description.
func (s *scene) describe(job jobtree.Job, description string) {
	must(s.client.Set(s, job.Config(), []byte(jobConfig(job, description)), zk.AnyVersion))
}
