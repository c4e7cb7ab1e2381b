// Package archive fetches the archives of ElasticJob-Cloud's applications and unpacks them. Their
// content is executed, so the package trusts nothing.
//
//	URL ──https, host on the list──▶ file in DIR ──SHA-256──▶ by the name's ending ──▶ DIR
//	         │  5xx, connection:        512 MiB     wrong:      tar, zip: each entry is
//	         │  again, with a pause     at most     refused     checked before it is written
//	         └──▶ a redirect is checked as the URL was
//
// # Guarantees
//
//   - It only uses https, to hosts in [Hosts], also after a redirect. The zero Hosts allows none.
//   - The checksum is compared before anything is unpacked.
//   - Nothing is written outside the folder, which is opened as an [os.Root]. In addition, each
//     entry is refused that has an absolute name or a "..", would be written through a link, or
//     is a link that leads out. Devices, pipes and sockets are refused.
//   - The limits of 512 MiB and 100,000 entries apply to the data written, not to headers.
//   - Files get the mode 0644, or 0755 if they were executable, and folders 0755, so no set-uid
//     bit survives, and any user who runs the program can read it.
//   - A cached archive is checked against the checksum like a fetched one. A failing cache only
//     costs a download.
//   - After a failure the folder is as before: absent, or empty.
//   - An error that is an [ErrRefused] persists until something is changed; every other one may
//     be temporary. It names the host, the two checksums or the entry, and the remedy.
package archive
