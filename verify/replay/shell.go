package replay

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
)

// The shell functions that the commands of an explanation use. Each is a few lines of a standard tool, so that a reader sees what it does.
const (
	// canon prints a value of the JSON on its input as Python writes it: sorted, compact, in ASCII. Its arguments lead to the value.
	shellCanon = `canon() { python3 -c 'import functools,json,sys; print(json.dumps(functools.reduce(lambda v,t: v[int(t)] if isinstance(v,list) else v[t], sys.argv[1:], json.load(sys.stdin.buffer)), sort_keys=True, separators=(",",":")), end="")' "$@"; }`
	// absent puts a resource into the absent body on its input.
	shellAbsent = `absent() { python3 -c 'import json,sys; r=lambda v: v.replace("{resource}",sys.argv[1]) if isinstance(v,str) else [r(x) for x in v] if isinstance(v,list) else {k:r(x) for k,x in v.items()} if isinstance(v,dict) else v; print(json.dumps(r(json.load(sys.stdin.buffer))), end="")' "$1"; }`
	// request prints the request data that the proxy hashes, from the manifest on its input.
	shellRequest = `request() { python3 -c 'import json,sys; m=json.load(sys.stdin.buffer); e=m[sys.argv[1]][int(sys.argv[2])]; print(json.dumps({"target":e.get("url") or m["base_url"]+sys.argv[3],"method":e["method"],"payload":e["payload"],"amount":0.0,"currency":"eur"}, sort_keys=True, separators=(",",":")), end="")' "$@"; }`
	shellSHA     = `sha() { sha256sum | cut -c1-64; }`
	shellHex     = `unhex() { xxd -r -p; }`
	shellBase64  = `b64url() { tr '_-' '/+' | awk '{while(length($0)%4) $0=$0"="; print}' | base64 -d; }`
	shellTemp    = `d=$(mktemp -d)`
)

// setup is what has to be run once: how a file of the bundle and of the trust folder is read, and the functions above.
func setup(q Question) []string {
	file, trust := `f() { cat -- "$1"; }`, `t() { f "trust/$1"; }`
	if q.Archive != "" {
		file = `f() { unzip -p ` + quoted(q.Archive) + ` "$(printf '%s' "$1" | sed 's/[][*?\\]/\\&/g')"; }`
	}
	if q.Trust != nil {
		trust = `t() { cat -- "${TRUST:?the folder given to --trust}/$1"; }`
	}
	return []string{file, trust, shellSHA, shellHex, shellBase64, shellCanon, shellAbsent, shellRequest, shellTemp}
}

// quoted makes one word of the shell of any text.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// words makes words of the shell of several texts, each with a space before it.
func words(texts []string) string {
	var out strings.Builder
	for _, s := range texts {
		out.WriteString(" " + quoted(s))
	}
	return out.String()
}

// source is a JSON value that a command prints.
type source struct {
	root    canon.Value
	command string // prints root as JSON
	file    string
	pointer string // of root inside file
}

// within is the source of a value inside another.
func (s source) within(tokens ...string) source {
	return source{inside(s.root, tokens...), s.command + " | jq -c " + quoted(jqPath(s.root, tokens)), s.file, s.pointer + pointerOf(tokens)}
}

func pointerOf(tokens []string) string {
	var out strings.Builder
	for _, t := range tokens {
		out.WriteString("/" + canon.EscapeToken(t))
	}
	return out.String()
}

// inside is the value that the tokens lead to, or Missing.
func inside(v canon.Value, tokens ...string) canon.Value {
	for _, t := range tokens {
		if v.Kind() == canon.Array {
			i, ok := canon.ParseIndex(t)
			if !ok {
				return canon.Value{}
			}
			v = v.At(i)
			continue
		}
		v = v.Get(t)
	}
	return v
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

// jqPath is the path of jq that the tokens make in a value.
func jqPath(v canon.Value, tokens []string) string {
	out := "."
	for i, t := range tokens {
		if v.Kind() == canon.Array {
			n, _ := canon.ParseIndex(t)
			out += "[" + strconv.Itoa(n) + "]"
			v = v.At(n)
			continue
		}
		plain := t != "" && strings.Trim(t, letters+"0123456789") == "" && strings.Contains(letters, t[:1])
		switch {
		case plain && i == 0:
			out += t
		case plain:
			out += "." + t
		default:
			key, _ := json.Marshal(t) // a string always marshals
			out += "[" + string(key) + "]"
		}
		v = v.Get(t)
	}
	return out
}

// text shows the string that the tokens lead to, or the canonical JSON of what is no string. Where nothing is there, there is no command.
func (s source) text(what string, tokens ...string) ShownValue {
	v := inside(s.root, tokens...)
	out := ShownValue{What: what, File: s.file, Pointer: s.pointer + pointerOf(tokens)}
	text, isText := v.Text()
	switch {
	case !v.Exists():
	case isText:
		out.Value, out.Command = text, s.command+" | jq -r "+quoted(jqPath(s.root, tokens))
	default:
		out.Value, out.Command = canonicalText(v), s.command+" | canon"+words(tokens)
	}
	return out
}

// digest shows a hash without its "sha256:".
func (s source) digest(what string, tokens ...string) ShownValue {
	out := s.text(what, tokens...)
	if hex, ok := strings.CutPrefix(out.Value, "sha256:"); ok {
		out.Value = hex
		out.Command += " | cut -d: -f2"
	}
	return out
}

// canonical shows the canonical JSON of what the tokens lead to.
func (s source) canonical(what string, tokens ...string) ShownValue {
	v := inside(s.root, tokens...)
	out := ShownValue{What: what, File: s.file, Pointer: s.pointer + pointerOf(tokens)}
	if v.Exists() {
		out.Value, out.Command = canonicalText(v), s.command+" | canon"+words(tokens)
	}
	return out
}

// document is the source of a whole JSON file of the bundle. One that cannot be read is a source of nothing.
func (x *explainer) document(name string) source {
	v, ok := x.files[name]
	if !ok {
		if b, err := x.run.bundle.Read(name); err == nil {
			v, _ = canon.Parse(b) // what cannot be parsed is shown as nothing; whoever judged it says why
		}
		x.files[name] = v
	}
	return source{v, "f " + quoted(name), name, ""}
}

// trusted is the source of a JSON file of the trust folder.
func (x *explainer) trusted(name string) source {
	b, err := x.trustFile(name)
	var v canon.Value
	if err == nil {
		v, _ = canon.Parse(b)
	}
	return source{v, "t " + quoted(name), x.trustName(name), ""}
}

func (x *explainer) trustFile(name string) ([]byte, error) {
	if x.q.Trust != nil {
		return fs.ReadFile(x.q.Trust, name)
	}
	if x.run.o.Trust != nil {
		return nil, errors.New("the trust folder is not at hand")
	}
	return x.run.bundle.Read(trustDir + name)
}

// trustName is how a file of the trust folder is called.
func (x *explainer) trustName(name string) string {
	if x.q.Trust != nil {
		return "--trust/" + name
	}
	return trustDir + name
}

// compare says whether the values, two or more, are the same.
func compare(name string, values ...ShownValue) Comparison {
	status := verifyOK
	if slices.ContainsFunc(values, func(v ShownValue) bool { return v.Value != values[0].Value || v.Value == "" }) {
		status = verifyFailed
	}
	return Comparison{Name: name, Status: status, Values: values}
}

// wanted says whether a value is what it must be.
func wanted(name, want string, value ShownValue) Comparison {
	c := compare(name, value)
	c.Wanted = want
	if value.Value != want {
		c.Status = verifyFailed
	}
	return c
}

// shown only shows.
func shown(name string, values ...ShownValue) Comparison {
	return Comparison{Name: name, Status: "shown", Values: values}
}

const (
	verifyOK     = "ok"
	verifyFailed = "failed"
)
