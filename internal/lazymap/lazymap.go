// Package lazymap writes to maps that most of their owners never need.
package lazymap

// Put sets a value in *m, and makes the map first if it's nil.
func Put[M ~map[K]V, K comparable, V any](m *M, key K, value V) {
	if *m == nil {
		*m = make(M)
	}
	(*m)[key] = value
}
