// Package layout is the frame around every page: the head with the connection's
// state, the navigation, the outage banner and the message left by the last
// order.
package layout
