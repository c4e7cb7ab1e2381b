// Package auth decides who a caller of the console is. It knows no HTTP: the
// console gives it what came with a request, and turns its verdicts into answers.
//
//	name, password ─► throttle ─► turn to compare ─► Accounts ─┐
//	                                                           ├─► Account ─► token
//	provider's answer ─► Flow ─► OIDC: a role for the groups ──┘
//
//	token ─► signature, audience, expiry ─► Account still the same? ─► revoked? ─► Identity
//
// Guarantees:
//
//   - An unknown name and a wrong password are the same verdict and take the same
//     time. Whoever guesses is held, per account and per address, in bounded
//     memory; the owner of an account is not locked out of where he signed in
//     before.
//   - A token of a page is no token of the API. It is worth nothing after it was
//     revoked, after its account's password or role has changed, and for somebody
//     from a provider after the provider or the groups were changed.
//   - No error, log value or token holds a password.
//
// Revocations are kept in memory; what outlives the process is the console's
// business. The package imports nothing of the console.
package auth
