package mint

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// testAuthorities are the three authorities of a fixed seed.
func testAuthorities(t *testing.T) []*Authority {
	t.Helper()
	var list []*Authority
	for _, style := range Styles {
		a, err := NewAuthority(NewSeed("test"), style, 2026)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// opensslVerify asks `openssl ts -verify` about a response over an artifact, at the time of the token.
func opensslVerify(t *testing.T, a *Authority, artifact, response []byte, at time.Time) (string, error) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var untrusted []byte
	for _, c := range a.Chain() {
		untrusted = append(untrusted, c.PEM()...)
	}
	cmd := exec.Command("openssl", "ts", "-verify", "-data", write("data", artifact), "-in", write("tsr", response),
		"-CAfile", write("root.pem", a.Root.PEM()), "-untrusted", write("chain.pem", untrusted), "-attime", itoa(at.Unix()))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func itoa(n int64) string { return string(AppendCompact(nil, n)) }

func needOpenssl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed: no second opinion on the minted tokens")
	}
}

func TestTokensHoldForOpenssl(t *testing.T) {
	needOpenssl(t)
	artifact := sha256.Sum256([]byte("artifact"))
	at := time.Date(2026, 10, 3, 12, 30, 40, 250e6, time.UTC)
	for _, a := range testAuthorities(t) {
		for _, fault := range HoldingTokens {
			response, err := a.Stamp(artifact[:], at, fault)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := opensslVerify(t, a, artifact[:], response, at); err != nil {
				t.Errorf("%s %q: openssl refuses: %s", a.Provider, fault, out)
			}
		}
	}
}

// lenientInOpenssl are the faults that `openssl ts -verify` 3.0 lets pass (measured here): they are ours to check.
var lenientInOpenssl = map[TokenFault]bool{
	TokenOtherPolicy: true, TokenTrailing: true, TokenSHA1Imprint: true, TokenOtherType: true,
	TokenCritical: true,
}

func TestFaultyTokensAreRefusedByOpenssl(t *testing.T) {
	needOpenssl(t)
	artifact := sha256.Sum256([]byte("artifact"))
	at := time.Date(2026, 10, 3, 12, 30, 40, 0, time.UTC)
	a := testAuthorities(t)[0]
	for _, fault := range FaultyTokens {
		response, err := a.Stamp(artifact[:], at, fault)
		if err != nil {
			t.Fatal(err)
		}
		out, err := opensslVerify(t, a, artifact[:], response, at)
		if (err == nil) != lenientInOpenssl[fault] {
			t.Errorf("%q: openssl accepts: %v: %s", fault, err == nil, out)
		}
	}
}

func TestStampIsReproducible(t *testing.T) {
	artifact := sha256.Sum256([]byte("artifact"))
	at := time.Date(2026, 10, 3, 12, 30, 0, 0, time.UTC)
	for i := range Styles {
		one, err1 := testAuthorities(t)[i].Stamp(artifact[:], at, TokenGood)
		two, err2 := testAuthorities(t)[i].Stamp(artifact[:], at, TokenGood)
		if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: two runs differ (%v, %v)", Styles[i].Provider, err1, err2)
		}
	}
}

func TestGeneralizedTime(t *testing.T) {
	day := time.Date(2026, 10, 20, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at   time.Time
		want string // RFC 3161 §2.4.2: no trailing zeros in the fraction, none at all where it is zero
	}{
		{day, "20261020100000Z"},
		{day.Add(500 * time.Millisecond), "20261020100000.5Z"},
		{day.Add(time.Millisecond), "20261020100000.001Z"},
		{day.Add(50 * time.Second), "20261020100050Z"},
	} {
		if got := string(generalizedTime(c.at).Bytes); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
