package cli

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

// Pinned trusts the certificate in a file and no other. Its name doesn't count.
func Pinned(certFile string) (*tls.Config, error) {
	text, err := os.ReadFile(certFile)
	if err != nil {
		return nil, Fail("--tls-cert names the file that serve was given.", "read --tls-cert: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, Fail("--tls-cert names the file that serve was given.", "read --tls-cert: %s has no PEM block", certFile)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// The certificate itself is compared, which is stricter than a name.
		InsecureSkipVerify: true,
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if len(raw) == 0 || !bytes.Equal(raw[0], block.Bytes) {
				return fmt.Errorf("the console shows another certificate than that in %s", certFile)
			}
			return nil
		},
	}, nil
}
