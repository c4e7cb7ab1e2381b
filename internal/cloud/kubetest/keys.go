package kubetest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// keys writes the servers' keys and certificates into a folder, and returns the authority's certificate.
func keys(dir string) (authority []byte, err error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	ca, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "kubetest"}, caKey)
	if err != nil {
		return nil, err
	}
	authority = pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: ca.Raw})
	if err := os.WriteFile(filepath.Join(dir, "ca.crt"), authority, 0o600); err != nil {
		return nil, err
	}
	for i, subject := range []pkix.Name{{CommonName: "server"}, {CommonName: "kubelet-client", Organization: []string{"system:masters"}}} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
			SerialNumber: big.NewInt(int64(i) + 2), Subject: subject, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
			DNSNames:    []string{"localhost", "kubernetes.default.svc"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(Gateway)},
		}, ca, key.Public(), caKey)
		if err != nil {
			return nil, err
		}
		text := pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: der})
		if err := os.WriteFile(filepath.Join(dir, subject.CommonName+".crt"), text, 0o600); err != nil {
			return nil, err
		}
		if err := writeKey(dir, subject.CommonName+".key", key); err != nil {
			return nil, err
		}
	}
	accounts, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return authority, writeKey(dir, "sa.key", accounts)
}

func writeKey(dir, name string, key crypto.PrivateKey) error {
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), text, 0o600)
}
