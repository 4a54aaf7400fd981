package mint

import (
	"crypto"
	"crypto/elliptic"
	"encoding/asn1"
	"fmt"
	"time"
)

// Style is how one time-stamping authority makes its tokens; the three known providers differ in these points.
type Style struct {
	Provider     string      // name of the folder in the trust material, such as "freetsa.org"
	Org          string      // organization in the certificates
	Digest       crypto.Hash // digest of the signed attributes
	Embed        bool        // tokens carry the signing certificate and the intermediates
	ESSv1        bool        // signing-certificate attribute of RFC 2634 (SHA-1) instead of RFC 5035
	Intermediate bool        // an intermediate authority stands between root and signer
	RSA          bool        // the signer has an RSA key
	NoSignTime   bool        // tokens lack the signing-time attribute
	Named        bool        // TSTInfo names the authority and claims ordering
	Policy       asn1.ObjectIdentifier
}

// Styles are the three providers that the verifier knows, each with its habits.
var Styles = []Style{
	{Provider: "freetsa.org", Org: "Horodatage libre de répétition", Digest: crypto.SHA512, ESSv1: true, Named: true, Policy: asn1.ObjectIdentifier{1, 2, 3, 4, 1}},
	{Provider: "digicert.com", Org: "Horodatage numérique de répétition", Digest: crypto.SHA256, Embed: true, Intermediate: true, RSA: true, Policy: asn1.ObjectIdentifier{2, 16, 840, 1, 114412, 7, 1}},
	{Provider: "sectigo.com", Org: "Horodatage sectoriel de répétition", Digest: crypto.SHA384, Intermediate: true, NoSignTime: true, Policy: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 6449, 1, 2, 1}},
}

// Authority is a time-stamping authority with its certificates. The fields after Signer are those that only faulty tokens use.
type Authority struct {
	Style
	seed         Seed
	Root         *Certificate
	Intermediate *Certificate // nil where the root signs
	Signer       *Certificate

	faulty map[TokenFault]*Certificate // signers of tokens with that fault
}

// NewAuthority makes the certificates of an authority. They are valid around the year of the season: roots from ten years before to
// fifteen after, signers from one before to five after.
func NewAuthority(seed Seed, style Style, year int) (*Authority, error) {
	a := &Authority{Style: style, seed: seed.Child(style.Provider), faulty: map[TokenFault]*Certificate{}}
	day := func(offset int) time.Time { return time.Date(year+offset, 1, 1, 0, 0, 0, 0, time.UTC) }
	root := certificateSpec{name: "Racine " + style.Provider, org: style.Org, serial: 1, from: day(-10), until: day(15), ca: true}
	var err error
	if a.Root, err = root.issue(ECDSAKey(a.seed.Child("root"), elliptic.P256()), nil); err != nil {
		return nil, fmt.Errorf("root of %s: %w", style.Provider, err)
	}
	parent := a.Root
	if style.Intermediate {
		spec := certificateSpec{name: "Intermédiaire " + style.Provider, org: style.Org, serial: 2, from: day(-4), until: day(9), ca: true}
		if a.Intermediate, err = spec.issue(ECDSAKey(a.seed.Child("intermediate"), elliptic.P256()), a.Root); err != nil {
			return nil, fmt.Errorf("intermediate of %s: %w", style.Provider, err)
		}
		parent = a.Intermediate
	}
	key, err := a.signerKey("signer")
	if err != nil {
		return nil, err
	}
	spec := a.signerSpec(day)
	if a.Signer, err = spec.issue(key, parent); err != nil {
		return nil, fmt.Errorf("signer of %s: %w", style.Provider, err)
	}
	return a, a.issueFaulty(spec, parent, day)
}

func (a *Authority) signerSpec(day func(int) time.Time) certificateSpec {
	return certificateSpec{
		name: "Horodateur " + a.Provider, org: a.Org, serial: 0x4d1e5a10, from: day(-1), until: day(5),
		usages: []asn1.ObjectIdentifier{oidTimeStamping},
	}
}

func (a *Authority) signerKey(label string) (crypto.Signer, error) {
	if a.RSA {
		return RSAKey(a.seed.Child(label))
	}
	return ECDSAKey(a.seed.Child(label), elliptic.P384()), nil
}

// issueFaulty makes the signers whose certificate is the fault: each differs from the good one in one thing.
func (a *Authority) issueFaulty(good certificateSpec, parent *Certificate, day func(int) time.Time) error {
	otherRoot, err := certificateSpec{name: "Racine " + a.Provider, org: a.Org, serial: 1, from: day(-10), until: day(15), ca: true}.
		issue(ECDSAKey(a.seed.Child("other-root"), elliptic.P256()), nil)
	if err != nil {
		return err
	}
	type change struct {
		fault TokenFault
		edit  func(*certificateSpec)
	}
	for i, c := range []change{
		{TokenExpired, func(s *certificateSpec) { s.from, s.until = day(-3), day(-1) }},
		{TokenNotYetValid, func(s *certificateSpec) { s.from, s.until = day(2), day(6) }},
		{TokenSignerIsCA, func(s *certificateSpec) { s.ca = true }},
		{TokenTwoUsages, func(s *certificateSpec) { s.usages = append(s.usages[:1:1], oidCodeSigning) }},
		{TokenOtherUsage, func(s *certificateSpec) { s.usages = []asn1.ObjectIdentifier{oidCodeSigning} }},
		{TokenNoUsage, func(s *certificateSpec) { s.usages = nil }},
		{TokenUsageNotCritical, func(s *certificateSpec) { s.notCritical = true }},
		{TokenOtherRoot, func(*certificateSpec) {}},
		{TokenOtherSigner, func(*certificateSpec) {}},
	} {
		spec, by := good, parent
		spec.serial += int64(i) + 1
		c.edit(&spec)
		if c.fault == TokenOtherRoot {
			by = otherRoot
		}
		key := ECDSAKey(a.seed.Child("faulty", uint64(i)), elliptic.P256())
		if a.faulty[c.fault], err = spec.issue(key, by); err != nil {
			return fmt.Errorf("signer %s of %s: %w", c.fault, a.Provider, err)
		}
	}
	return nil
}

// Chain is what a token of this authority embeds when it embeds anything: the signer, then the intermediate where there is one.
func (a *Authority) Chain() []*Certificate {
	if a.Intermediate == nil {
		return []*Certificate{a.Signer}
	}
	return []*Certificate{a.Signer, a.Intermediate}
}

// TrustFiles are the files of the authority's trust folder: the root, the certificates that tokens do not embed, and the accepted policy.
func (a *Authority) TrustFiles() map[string][]byte {
	files := map[string][]byte{"root.pem": a.Root.PEM(), "policy.txt": []byte(a.Policy.String() + "\n")}
	if a.Embed {
		return files
	}
	files["tsa.pem"] = a.Signer.PEM()
	if a.Intermediate != nil {
		files["intermediate.pem"] = a.Intermediate.PEM()
	}
	return files
}
