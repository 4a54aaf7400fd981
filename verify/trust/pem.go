package trust

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// pemBlocks reads a PEM file whole: text before and between the blocks is allowed, as openssl writes it, but a block that cannot be read is
// not skipped, which pem.Decode alone would do.
func pemBlocks(file string, b []byte, kind string) ([][]byte, error) {
	var blocks [][]byte
	announced := bytes.Count(b, []byte("-----BEGIN "))
	for block, rest := pem.Decode(b); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != kind || len(block.Headers) != 0 {
			return nil, &FormatError{File: file, Found: fmt.Sprintf("a PEM block %.40q with %d headers", block.Type, len(block.Headers)),
				Want: kind + " blocks without headers"}
		}
		blocks = append(blocks, block.Bytes)
	}
	if len(blocks) == 0 || len(blocks) != announced {
		return nil, &FormatError{File: file, Found: fmt.Sprintf("%d readable of %d PEM blocks", len(blocks), announced),
			Want: "at least one " + kind + " block, all of them readable"}
	}
	return blocks, nil
}

// publicKey reads one PUBLIC KEY block and gives the key and its SubjectPublicKeyInfo, which must be the one DER spelling of the key.
func publicKey(file, pointer string, text []byte) (crypto.PublicKey, []byte, error) {
	blocks, err := pemBlocks(file, text, "PUBLIC KEY")
	if err != nil {
		return nil, nil, at(err, pointer)
	}
	if len(blocks) != 1 {
		return nil, nil, &FormatError{File: file, Pointer: pointer, Found: fmt.Sprintf("%d keys", len(blocks)), Want: "one"}
	}
	key, err := parseSPKI(blocks[0])
	if err != nil {
		return nil, nil, &FormatError{File: file, Pointer: pointer, Found: err.Error(), Want: "a SubjectPublicKeyInfo in DER"}
	}
	return key, blocks[0], nil
}

// parseSPKI reads a SubjectPublicKeyInfo and writes it again: the bytes must be equal.
func parseSPKI(der []byte) (crypto.PublicKey, error) {
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, err
	}
	again, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, der) {
		return nil, fmt.Errorf("another spelling than DER")
	}
	return key, nil
}

// isP256 and isEd25519 are the key types that logs and submitters use.
func isP256(key crypto.PublicKey) bool {
	k, ok := key.(*ecdsa.PublicKey)
	return ok && k.Curve == elliptic.P256()
}

func isEd25519(key crypto.PublicKey) bool {
	_, ok := key.(ed25519.PublicKey)
	return ok
}

// at adds a pointer to a FormatError that has none.
func at(err error, pointer string) error {
	if f, ok := err.(*FormatError); ok && f.Pointer == "" {
		f.Pointer = pointer
	}
	return err
}
