package errorhandler_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
)

// A job reports to a chat until its configuration switches to THROW.
func Example() {
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(string(body))
		fmt.Fprint(w, `{"errcode":0,"errmsg":"ok"}`)
	}))
	defer chat.Close()

	set := errorhandler.NewSet(errorhandler.Options{Log: slog.New(slog.DiscardHandler)})
	ctx := context.Background()
	failure := errors.New("no connection to the warehouse")

	keeper := set.ForJob("invoices")
	if err := keeper.Update(ctx, "WECHAT", map[string]string{"wechat.webhook": chat.URL + "/send?key=123"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("stop the run:", keeper.Handle(ctx, failure) != nil)
	if err := keeper.Update(ctx, "THROW", nil); err != nil {
		log.Fatal(err)
	}
	if err := set.Close(ctx); err != nil { // delivers pending notifications
		log.Fatal(err)
	}
	fmt.Println("stop the run:", keeper.Handle(ctx, failure) != nil)
	fmt.Println(keeper.Update(ctx, "PAGER", nil))
	// Unordered output:
	// stop the run: false
	// {"msgtype":"text","text":{"content":"Job 'invoices' exception occur in job processing, caused by no connection to the warehouse"}}
	// stop the run: true
	// Cannot find job error handler type 'PAGER'. Allowed types: DINGTALK, EMAIL, IGNORE, LOG, THROW, WECHAT (empty means LOG).
}
