// Package wire parses and writes the frames of ZooKeeper's protocol as typed values. The client
// uses it for requests that its library doesn't offer, and the in-process server for everything. No
// other package knows the position of a field.
//
//	request   length | xid, operation  | fields of the Request
//	reply     length | xid, zxid, code | fields of the Result, if the code is OK
//	event     length | -1, -1, 0       | fields of the Event
//	handshake length |                   fields of the ConnectRequest or ConnectReply
//
// Each record lists its fields once, for both directions. A frame that ends early or has an
// impossible length is [ErrMalformed]. Lists are only allocated as far as the rest of the frame can
// fill them, so a forged length costs no memory.
package wire
