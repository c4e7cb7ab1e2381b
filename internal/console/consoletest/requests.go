package consoletest

import (
	"net/http"
	"strconv"
	"sync"
)

// requests are those under way, by the number in their header.
type requests struct {
	mu   sync.Mutex
	last int
	done map[string]chan struct{}
}

const requestHeader = "X-Test-Request"

// number gives a request its number.
func (r *requests) number(req *http.Request) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	n := strconv.Itoa(r.last)
	req.Header.Set(requestHeader, n)
	return n
}

func (r *requests) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		done := make(chan struct{})
		defer close(done)
		r.mu.Lock()
		r.done[req.Header.Get(requestHeader)] = done
		r.mu.Unlock()
		next.ServeHTTP(w, req)
	})
}

// wait waits until the handler of a request that was answered has returned: what
// the console does after it has written an answer, such as recording it. A page of
// more than a buffer reaches the client before.
func (r *requests) wait(number string) {
	r.mu.Lock()
	done := r.done[number]
	r.mu.Unlock()
	if done != nil { // else the server itself refused it
		<-done
	}
}
