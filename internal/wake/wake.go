// Package wake wakes up a goroutine that waits for a channel with room for one token.
package wake

// Up puts a token into the channel, unless it has one.
func Up(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
