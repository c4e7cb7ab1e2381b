// Package archive fetches the archives of ElasticJob-Cloud's applications and unpacks them.
// What it fetches is executed, so it takes nothing on trust.
//
//	URL ──https, host on the list──▶ file in DIR ──SHA-256──▶ by the name's ending ──▶ DIR
//	         │  5xx, connection:        512 MiB     wrong:      tar, zip: each entry is
//	         │  again, with a pause     at most     refused     checked before it is written
//	         └──▶ a redirect is checked as the URL was
//
// # Guarantees
//
//   - Only https is spoken, to hosts of [Hosts], also after a redirect. The zero Hosts allows
//     nothing.
//   - The sum is compared before anything is unpacked.
//   - Nothing is written outside the folder. It is opened as an [os.Root], and besides that each
//     entry is refused that has an absolute name or a ".." in it, that would be written through
//     a link, or that is a link which leads out. Devices, pipes and sockets are refused.
//   - What is written is counted, and not what headers say: 512 MiB and 100,000 entries at most.
//   - Files get the mode 0644, or 0755 if somebody may execute them, folders 0755: no set-uid bit
//     survives, and whoever runs the program may read it.
//   - An archive out of the cache is compared with the sum as one that was fetched, and a cache
//     that fails costs a download and nothing else.
//   - After a failure the folder is as it was: absent, or empty.
//   - An error that is an [ErrRefused] stays until somebody changes something; every other one may
//     pass. It names the host, the two sums or the entry, and what to do.
package archive
