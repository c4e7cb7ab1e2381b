package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// console is the console's process, and the operator who uses it.
type console struct {
	c       *campaign
	address string
	client  http.Client
	command func() *exec.Cmd

	mu      sync.Mutex
	process *process
	token   string
}

// answerLimit limits a request. It's longer than the console's own limits.
const answerLimit = 30 * time.Second

func (c *campaign) startConsole(ctx context.Context) (*console, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s := &console{c: c, address: address, client: http.Client{Timeout: answerLimit}}
	s.command = func() *exec.Cmd {
		return exec.Command(c.opts.console, "serve", "--zookeeper="+strings.Join(c.zookeeper.Servers(), ","), "--namespace="+namespace,
			"--session-timeout="+sessionTimeout.String(), "--dsn="+c.dsn, "--listen="+address, "--data="+filepath.Join(c.dir, "console"))
	}
	return s, s.start(ctx)
}

// start starts the process and waits until it answers.
func (s *console) start(ctx context.Context) error {
	p, err := start(s.command(), filepath.Join(s.c.dir, "console.log"), "")
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.process, s.token = p, ""
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for {
		if err := s.login(ctx); err == nil {
			return nil
		} else if p.hasEnded() || !pause(ctx, 100*time.Millisecond) {
			return fmt.Errorf("the console does not start: %w", err)
		}
	}
}

func (s *console) current() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process
}

func (s *console) login(ctx context.Context) error {
	status, body, err := s.send(ctx, http.MethodPost, "/api/login", map[string]string{"username": "root", "password": "root"}, "")
	if err != nil {
		return err
	}
	var answer struct{ AccessToken string }
	if err := json.Unmarshal(body, &answer); err != nil || answer.AccessToken == "" {
		return fmt.Errorf("sign in: %d %s", status, body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = answer.AccessToken
	return nil
}

func (s *console) send(ctx context.Context, method, path string, body any, token string) (int, []byte, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+path, content)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, 8<<20))
	return response.StatusCode, answer, errors.Join(err, response.Body.Close())
}

// ask sends a request as root and records the answer for the judge.
func (s *console) ask(ctx context.Context, method, path string, body any) judge.Answer {
	s.mu.Lock()
	token := s.token
	s.mu.Unlock()
	a := judge.Answer{Request: method + " " + path, Span: judge.Span{From: time.Now()}}
	status, answer, err := s.send(ctx, method, path, body, token)
	if status == http.StatusUnauthorized { // a new console doesn't know the token
		if err = s.login(ctx); err == nil {
			s.mu.Lock()
			token = s.token
			s.mu.Unlock()
			status, answer, err = s.send(ctx, method, path, body, token)
		}
	}
	a.To, a.Status, a.Body = time.Now(), status, string(answer)
	if err != nil {
		a.Status, a.Body = 0, err.Error()
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return a // We didn't wait for it.
	}
	kept := a
	if a.Status != 0 && a.Status < 500 && a.Request != judge.ListRequest {
		kept.Body = "" // megabytes that no rule needs
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.History.Machine.Answers = append(s.c.History.Machine.Answers, kept)
	return a
}
