package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// The shop's trade: an order arrives in each city every arrivalEvery; what
// nobody fetched waits, up to maxWaiting per city.
const (
	arrivalEvery = 3 * time.Second
	maxWaiting   = 200
	// maxBooked is how many orders the shop remembers, oldest forgotten first.
	maxBooked = 5000
	// busyEvery is how often the mail server turns a reminder away.
	busyEvery = 7
)

// Cities are the shop's branches, in the order of the shards that serve them.
var Cities = []string{"Berlin", "Hamburg", "Lisbon", "Oslo", "Turin", "Vienna"}

// titles and what they cost, in cents.
var titles = []struct {
	name  string
	cents int
}{
	{"Knots and Splices", 1890}, {"A Field Guide to Lichens", 2450}, {"Bread, Slowly", 3200},
	{"The Tide Tables 2026", 990}, {"Small Engines", 2799}, {"Letters from a Lighthouse", 1650},
}

// Order is one order on its way: booked, invoiced, labelled.
type Order struct {
	ID    int    `json:"id"`
	City  string `json:"city"`
	Title string `json:"title"`
	Cents int    `json:"cents"`
	State State  `json:"state"`
}

// State is how far an order has come.
type State string

// The states of an order, in their order.
const (
	Booked   State = "booked"
	Invoiced State = "invoiced"
	Labelled State = "labelled"
)

// Shop is the bookshop: an in-memory order book behind an HTTP interface that
// the jobs call. It is safe for concurrent use.
type Shop struct {
	now func() time.Time
	log *slog.Logger

	mu      sync.Mutex
	opened  time.Time
	fetched map[string]int // arrivals already booked, by city
	lastID  int
	orders  []Order
	rates   map[string]float64
	mails   int
}

// NewShop opens a shop with no orders yet.
func NewShop(log *slog.Logger) *Shop {
	return &Shop{
		now: time.Now, log: log, opened: time.Now(),
		fetched: map[string]int{}, rates: map[string]float64{"USD": 1.08, "GBP": 0.85, "CHF": 0.94},
	}
}

// Handler returns the shop's HTTP interface:
//
//	POST /cities/{city}/orders             book what has arrived   {"booked": 3}
//	GET  /orders?state=S&item=I&of=N&max=M the item's orders       [order, …]
//	POST /orders/{id}/{state}              move an order on
//	POST /rates                            fetch an exchange rate; called by an HTTP job
//	POST /reminders                        send a reminder; the mail server is busy at times
//	GET  /report?item=I&of=N               totals of the item's part of the orders
func (s *Shop) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cities/{city}/orders", s.book)
	mux.HandleFunc("GET /orders", s.list)
	mux.HandleFunc("POST /orders/{id}/{state}", s.advance)
	mux.HandleFunc("POST /rates", s.fetchRate)
	mux.HandleFunc("POST /reminders", s.remind)
	mux.HandleFunc("GET /report", s.report)
	return mux
}

func (s *Shop) book(w http.ResponseWriter, r *http.Request) {
	city := r.PathValue("city")
	if !slices.Contains(Cities, city) {
		refuse(w, http.StatusNotFound, fmt.Errorf("there is no branch in %q", city))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	arrived := int(s.now().Sub(s.opened) / arrivalEvery)
	n := arrived - s.fetched[city]
	s.fetched[city] = arrived
	n = min(n, maxWaiting)
	for range n {
		s.lastID++
		title := titles[s.lastID%len(titles)]
		s.orders = append(s.orders, Order{ID: s.lastID, City: city, Title: title.name, Cents: title.cents, State: Booked})
	}
	if over := len(s.orders) - maxBooked; over > 0 {
		s.orders = slices.Delete(s.orders, 0, over)
	}
	reply(w, map[string]int{"booked": n})
}

// part reads which share of the orders a request is about: those whose id
// leaves item when divided by of.
func part(r *http.Request) (item, of int, err error) {
	item, err = strconv.Atoi(r.FormValue("item"))
	if err != nil {
		return 0, 0, fmt.Errorf("item %q is not a number", r.FormValue("item"))
	}
	of, err = strconv.Atoi(r.FormValue("of"))
	if err != nil || of < 1 || item < 0 || item >= of {
		return 0, 0, fmt.Errorf("item %d of %q is no share", item, r.FormValue("of"))
	}
	return item, of, nil
}

func (s *Shop) list(w http.ResponseWriter, r *http.Request) {
	item, of, err := part(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	limit, err := strconv.Atoi(r.FormValue("max"))
	if err != nil || limit < 1 {
		refuse(w, http.StatusBadRequest, fmt.Errorf("max %q is not a positive number", r.FormValue("max")))
		return
	}
	found := []Order{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.orders {
		if len(found) < limit && o.ID%of == item && o.State == State(r.FormValue("state")) {
			found = append(found, o)
		}
	}
	reply(w, found)
}

// next is the only state an order may move on to.
var next = map[State]State{Booked: Invoiced, Invoiced: Labelled}

func (s *Shop) advance(w http.ResponseWriter, r *http.Request) {
	to := State(r.PathValue("state"))
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.orders, func(o Order) bool { return strconv.Itoa(o.ID) == r.PathValue("id") })
	if i < 0 {
		refuse(w, http.StatusNotFound, fmt.Errorf("there is no order %q", r.PathValue("id")))
		return
	}
	switch from := s.orders[i].State; {
	case from == to: // Asked again after a lost answer: done is done.
	case next[from] != to:
		refuse(w, http.StatusConflict, fmt.Errorf("order %d is %s and cannot become %s", s.orders[i].ID, from, to))
		return
	}
	s.orders[i].State = to
	reply(w, s.orders[i])
}

// fetchRate is what the HTTP job calls: the request's shardingContext header
// says which currency.
func (s *Shop) fetchRate(w http.ResponseWriter, r *http.Request) {
	var context struct {
		Currency string `json:"shardingParameter"`
	}
	if err := json.Unmarshal([]byte(r.Header.Get("shardingContext")), &context); err != nil {
		refuse(w, http.StatusBadRequest, fmt.Errorf("header shardingContext: %w", err))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rate, ok := s.rates[context.Currency]
	if !ok {
		refuse(w, http.StatusNotFound, fmt.Errorf("no rate for %q", context.Currency))
		return
	}
	// A market that wanders by the clock, up to half a per cent.
	rate += rate * (float64(s.now().Unix()%11) - 5) / 1000
	s.log.DebugContext(r.Context(), "exchange rate", slog.String("currency", context.Currency), slog.Float64("rate", rate))
	reply(w, map[string]any{"currency": context.Currency, "rate": rate})
}

func (s *Shop) remind(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails++
	if s.mails%busyEvery == 0 {
		refuse(w, http.StatusServiceUnavailable, errors.New("mail.example.org answered 421: too many connections, try again later"))
		return
	}
	reply(w, map[string]bool{"sent": true})
}

// Report is the sum of a share of the orders.
type Report struct {
	Orders, Cents int
	ByCity        map[string]int // orders
}

func (s *Shop) report(w http.ResponseWriter, r *http.Request) {
	item, of, err := part(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	sum := Report{ByCity: map[string]int{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.orders {
		if o.ID%of == item {
			sum.Orders++
			sum.Cents += o.Cents
			sum.ByCity[o.City]++
		}
	}
	reply(w, sum)
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	// The caller is one of our agents; if it has ended, so has its interest.
	_ = json.NewEncoder(w).Encode(body)
}

// refuse answers with the reason as plain text, which agents make their error.
func refuse(w http.ResponseWriter, status int, err error) { http.Error(w, err.Error(), status) }
