package kube

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// Translate adds the failed operation to an error of the API server, and wraps an error of package
// cloud. Other errors may be temporary.
func Translate(what string, err error) error {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return fmt.Errorf("%s: %w", what, err)
	}
	kind := error(nil)
	switch code := int(status.Status().Code); {
	case code == http.StatusNotFound:
		kind = cloud.ErrNotFound
	case apierrors.IsAlreadyExists(err):
		kind = cloud.ErrExists
	case code == http.StatusConflict:
		kind = cloud.ErrConflict
	case code == http.StatusForbidden, code == http.StatusUnauthorized:
		kind = cloud.ErrForbidden
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout:
	case code >= 400 && code < 500:
		kind = cloud.ErrRefused // This includes admission; the error has its text.
	}
	if seconds, known := apierrors.SuggestsClientDelay(err); known && kind == nil {
		return fmt.Errorf("%s: %w", what, &cloud.RetryAfterError{After: time.Duration(min(seconds, 3600)) * time.Second, Err: err})
	}
	if kind == nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, kind, err)
}
