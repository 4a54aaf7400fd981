package replay

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/tsa"
)

// opensslTime is how openssl prints the time of a token.
const opensslTime = "Jan _2 15:04:05.999999999 2006 GMT"

// token is the timestamp: its imprint, its time, and whether openssl verifies it.
func (e *proofExplainer) token() []Comparison {
	stated := e.view.text("stated", "timestamp_authority", "tsr_base64")
	response, err := canon.DecodeBase64(stated.Value)
	if err != nil || e.anchored == "" {
		return []Comparison{shown("token", e.view.text("stated", "timestamp_authority"))}
	}
	info, err := tsa.Parse(response)
	if err != nil {
		return []Comparison{shown("token", e.view.text("stated", "timestamp_authority", "provider"))}
	}
	raw, _ := canon.ParseHex(e.anchored)
	place := ShownValue{File: stated.File, Pointer: stated.Pointer}
	read := stated.Command + " | base64 -d > $d/tsr; openssl ts -reply -in $d/tsr -text 2>/dev/null"
	computed := ShownValue{What: "recomputed", Value: canon.Sum(raw[:]).String(), File: e.anchoredShown.File, Pointer: e.anchoredShown.Pointer,
		Command: e.anchoredShown.Command + " | unhex | sha"}
	imprint, time := place, place
	imprint.What, imprint.Value = "imprint", info.Imprint
	imprint.Command = read + ` | sed -n 's/^    [0-9a-f]* - \([0-9a-f -]*\)   .*/\1/p' | tr -d ' \n-'`
	time.What, time.Value = "token_time", info.Time.UTC().Format(opensslTime)
	time.Command = read + ` | sed -n 's/^Time stamp: //p'`
	out := []Comparison{}
	if info.HashAlgorithm == "SHA-256" {
		out = append(out, compare("imprint", computed, imprint))
	} else {
		out = append(out, shown("imprint", imprint))
	}
	season := e.x.document(SeasonFile)
	window := shown("token_time", time, season.text("opens_at", "opens_at"), season.text("closes_at", "closes_at"))
	window.Status = verifyOK
	if s := e.x.run.season; info.Time.Before(s.Opens) || info.Time.After(s.Closes) {
		window.Status = verifyFailed
	}
	return append(append(out, window), e.tokenVerified(stated, info)...)
}

// tokenVerified is the command by which openssl verifies the token at its own time. What it answers is promised only for a token that
// holds here, since openssl asks for less.
func (e *proofExplainer) tokenVerified(stated ShownValue, info tsa.Info) []Comparison {
	c, _ := e.checked(proof.CheckTimestamp)
	provider, _ := inside(e.view.root, "timestamp_authority", "provider").Text()
	roots, others := e.certificates(provider)
	if len(roots) == 0 || c.Status != verify.OK && c.Reason != proof.ReasonOutsideSeason {
		return nil
	}
	command := stated.Command + " | base64 -d > $d/tsr; " + e.anchoredShown.Command + " | unhex > $d/data; " + catAll(roots) + " > $d/roots; "
	untrusted := ""
	if len(others) > 0 {
		command += catAll(others) + " > $d/others; "
		untrusted = " -untrusted $d/others"
	}
	command += fmt.Sprintf("openssl ts -verify -attime %d -data $d/data -in $d/tsr -CAfile $d/roots%s 2>/dev/null", info.Time.Unix(), untrusted)
	return []Comparison{{Name: "token", Status: verifyOK, Values: []ShownValue{{What: "openssl", Value: "Verification: OK", File: stated.File,
		Pointer: stated.Pointer, Command: command}}}}
}

// entry is the log entry that the view names: the first that holds, else the first of that name.
func (e *proofExplainer) entry() (rekor.Entry, bool) {
	if e.result.Unverified == nil {
		return rekor.Entry{}, false
	}
	uuid := e.result.Unverified.EntryUUID()
	var found []rekor.Entry
	for _, one := range e.x.run.evidence.entriesFor(uuid) {
		if named, ok := one.For(uuid); ok && !one.Null && one.Failure == nil {
			found = append(found, named)
		}
	}
	if len(found) == 0 {
		return rekor.Entry{}, false
	}
	for _, one := range found {
		if _, err := rekor.Verify(one, []byte(e.anchored), e.x.run.store.Logs()); err == nil {
			return one, true
		}
	}
	return found[0], true
}

// entrySource is the source of the log entry in its file.
func (e *proofExplainer) entrySource(entry rekor.Entry) source {
	tokens, err := tokensOf(entry.Pointer)
	if err != nil {
		e.err = err
	}
	return e.x.document(entry.File).within(tokens...)
}

func (e *proofExplainer) entrySetup() []string {
	entry, ok := e.entry()
	if !ok {
		return nil
	}
	return []string{"entry() { " + e.entrySource(entry).command + "; }", `body() { entry | jq -r .body | base64 -d; }`}
}

// logEntry shows the entry of the transparency log: what it is over, where it lies in the tree, and the log's signatures.
func (e *proofExplainer) logEntry() []Comparison {
	uuid := e.view.text("stated", "transparency_log", "uuid")
	entry, ok := e.entry()
	if !ok {
		return []Comparison{shown("entry", uuid)}
	}
	s := e.entrySource(entry)
	s.command = "entry"
	encoded, _ := s.root.Get("body").Text()
	body, err := canon.DecodeBase64(encoded)
	if err != nil {
		return []Comparison{shown("entry", uuid)}
	}
	uuid.Value = leafHash(uuid.Value)
	uuid.Command += " | tail -c 65"
	out := []Comparison{}
	if w, ok := entry.Walk(); ok {
		walk := compare("entry_leaf", ShownValue{What: "recomputed", Value: w.Leaves[0].Hash.String(), File: s.file, Pointer: s.pointer + "/body",
			Command: `{ printf '\0'; body; } | sha`}, uuid)
		out = append(out, walk)
	}
	out = append(out, e.artifact(s, body)...)
	return append(append(out, e.inclusion(s, entry)...), e.logSignatures(s, body)...)
}

// artifact compares what the entry is over with the anchored hash, as text.
func (e *proofExplainer) artifact(s source, body []byte) []Comparison {
	doc, err := canon.Parse(body)
	if err != nil || e.anchored == "" {
		return nil
	}
	inBody := source{doc, "body", s.file, s.pointer + "/body"}
	logged := inBody.text("logged", "spec", "data", "hash", "value")
	logged.Pointer = inBody.pointer
	return []Comparison{compare("entry_artifact", ShownValue{What: "recomputed", Value: canon.Sum([]byte(e.anchored)).String(), File: e.anchoredShown.File,
		Pointer: e.anchoredShown.Pointer, Command: `printf %s "$(` + e.anchoredShown.Command + `)" | sha`}, logged)}
}

// inclusion shows the path of the entry, and compares its end with the entry's root and the checkpoint's.
func (e *proofExplainer) inclusion(s source, entry rekor.Entry) []Comparison {
	w, ok := entry.Walk()
	if !ok {
		return nil
	}
	in := []string{"verification", "inclusionProof"}
	root := s.text("stated", append(in, "rootHash")...)
	note := s.text("", append(in, "checkpoint")...)
	lines := strings.Split(note.Value, "\n")
	values := walkValues(w)
	for i := range values {
		if values[i].What == "leaf" {
			values[i].Command = `{ printf '\0'; body; } | sha`
			values[i].Of = ""
		}
	}
	values = append(values, root)
	c := Comparison{Name: "entry_path", Status: verifyOK, Values: values}
	if w.Root.String() != root.Value {
		c.Status = verifyFailed
	}
	if len(lines) < 3 {
		return []Comparison{c}
	}
	b, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil {
		return []Comparison{c}
	}
	signed := ShownValue{What: "checkpoint", Value: fmt.Sprintf("%x", b), File: s.file, Pointer: note.Pointer, Command: note.Command + " | sed -n 3p | base64 -d | xxd -p -c 64"}
	size := ShownValue{What: "checkpoint", Value: lines[1], File: s.file, Pointer: note.Pointer, Command: note.Command + " | sed -n 2p"}
	return []Comparison{c, compare("entry_root", root, signed), compare("entry_size", s.text("stated", append(in, "treeSize")...), size)}
}

// logSignatures are the log's two signatures and the submitter's, as openssl sees them.
func (e *proofExplainer) logSignatures(s source, body []byte) []Comparison {
	var out []Comparison
	log, key, err := e.logKey(s)
	if public, ok := log.Key.(*ecdsa.PublicKey); err == nil && ok && key != "" {
		fields := []string{"body", "integratedTime", "logID", "logIndex"}
		signed := map[string]any{}
		for _, name := range fields {
			signed[name] = s.root.Get(name)
		}
		text, err := canon.Marshal(signed)
		set := s.text("", "verification", "signedEntryTimestamp")
		if err == nil {
			out = append(out, e.opensslECDSA("entry_set", public, text, set.Value, set, "entry | jq -cSj '{"+strings.Join(fields, ",")+"}'", set.Command+" | base64 -d", key))
		}
		out = append(out, e.checkpoint(s, log.Name, key, public)...)
	}
	return append(out, e.submitter(s, body)...)
}

// opensslECDSA is what openssl says of an ECDSA signature over SHA-256.
func (e *proofExplainer) opensslECDSA(name string, public *ecdsa.PublicKey, message []byte, signature string, place ShownValue, messageCommand, signatureCommand, keyCommand string) Comparison {
	answer, status := "Verification failure", verifyFailed
	sum := sha256.Sum256(message)
	if sig, err := base64.StdEncoding.DecodeString(signature); err == nil && ecdsa.VerifyASN1(public, sum[:], sig) {
		answer, status = "Verified OK", verifyOK
	}
	command := messageCommand + " > $d/msg; " + signatureCommand + " > $d/sig; " + keyCommand + " > $d/key; openssl dgst -sha256 -verify $d/key -signature $d/sig $d/msg 2>/dev/null"
	return Comparison{Name: name, Status: status, Values: []ShownValue{{What: "openssl", Value: answer, File: place.File, Pointer: place.Pointer, Command: command}}}
}

// checkpoint is the log's signature on the checkpoint: a signed note, whose text ends before the empty line.
func (e *proofExplainer) checkpoint(s source, name, key string, public *ecdsa.PublicKey) []Comparison {
	note := s.text("", "verification", "inclusionProof", "checkpoint")
	text, lines, ok := strings.Cut(note.Value, "\n\n")
	_, line, found := strings.Cut("\n"+lines, "\n— "+name+" ")
	line, _, _ = strings.Cut(line, "\n")
	sig, err := base64.StdEncoding.DecodeString(line)
	if !ok || !found || err != nil || len(sig) < 5 {
		return nil
	}
	return []Comparison{e.opensslECDSA("entry_checkpoint", public, []byte(text+"\n"), base64.StdEncoding.EncodeToString(sig[4:]), note,
		note.Command+" | sed '/^$/,$d'", note.Command+" | awk -v n="+quoted(name)+` '$1=="—" && $2==n {print $3; exit}' | base64 -d | tail -c +5`, key)}
}

// submitter is the entry's own signature over the anchored hash, and its key, which the issuer must have published.
func (e *proofExplainer) submitter(s source, body []byte) []Comparison {
	doc, err := canon.Parse(body)
	if err != nil || e.anchored == "" {
		return nil
	}
	in := source{doc, "body", s.file, s.pointer + "/body"}
	content, sig := in.text("", "spec", "signature", "publicKey", "content"), in.text("", "spec", "signature", "content")
	sig.Pointer = in.pointer
	text, err := base64.StdEncoding.DecodeString(content.Value)
	block, _ := pem.Decode(text)
	if err != nil || block == nil || block.Type != "PUBLIC KEY" {
		return nil
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	public, ok := parsed.(*ecdsa.PublicKey)
	if err != nil || !ok {
		return nil
	}
	keyCommand := content.Command + " | base64 -d"
	out := []Comparison{e.opensslECDSA("entry_signature", public, []byte(e.anchored), sig.Value, sig, `printf %s "$(`+e.anchoredShown.Command+`)"`, sig.Command+" | base64 -d", keyCommand)}
	spki, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return out
	}
	const fingerprint = " | openssl pkey -pubin -outform DER | sha"
	carried := ShownValue{What: "carried", Value: canon.Sum(spki).String(), File: s.file, Pointer: in.pointer, Command: keyCommand + fingerprint}
	return append(out, e.published(carried, spki, fingerprint)...)
}

// published compares the submitter's key with those that the issuer published.
func (e *proofExplainer) published(carried ShownValue, spki []byte, fingerprint string) []Comparison {
	for _, k := range e.x.run.store.RekorKeys() {
		if !slices.Equal(k.SPKI, spki) {
			continue
		}
		file := e.x.trusted(k.Source)
		for i, listed := range file.root.Get("rekor_keys").Elements() {
			if kid, _ := listed.Get("kid").Text(); kid == k.KID {
				line := []string{"rekor_keys", fmt.Sprint(i)}
				key := file.text("published", append(line, "public_pem")...)
				key.Value, key.Command = carried.Value, key.Command+fingerprint
				return []Comparison{compare("submitter", carried, key), shown("submitter_window",
					file.text("valid_from", append(slices.Clone(line), "valid_from")...), file.text("retired_at", append(slices.Clone(line), "retired_at")...))}
			}
		}
		return []Comparison{compare("submitter", carried, ShownValue{What: "published", Value: carried.Value, File: e.x.trustName(k.Source)})}
	}
	return []Comparison{{Name: "submitter", Status: verifyFailed, Values: []ShownValue{carried}}}
}
