package trust

import (
	"crypto"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/rekor"
)

// logFiles reads rekor/*.pem and *.json and adds the logs of the trusted root that they do not give.
func (l *loader) logFiles(names []string, tr trustedRoot) error {
	shards := map[string]string{}
	for _, name := range names {
		log := path.Base(name[:len(name)-len(path.Ext(name))])
		if path.Ext(name) == ".json" {
			shards[log] = name
			continue
		}
		b, err := l.read(name)
		if err != nil {
			return err
		}
		key, spki, err := publicKey(name, "", b)
		if err != nil {
			return err
		}
		k, err := logKey(name, log, key, spki)
		if err != nil {
			return err
		}
		l.store.logs = append(l.store.logs, k)
	}
	plain := l.store.logs
	for _, k := range tr.logs {
		// A plain file gives the key without bounds; several windows of one key in the trusted root all count.
		again := func(o LogKey) bool { return o.Name == k.Name && o.ID == k.ID && o.equal(k.Window) }
		given := func(o LogKey) bool { return o.Name == k.Name && o.ID == k.ID }
		if !slices.ContainsFunc(plain, given) && !slices.ContainsFunc(l.store.logs, again) {
			l.store.logs = append(l.store.logs, k)
		}
	}
	for _, log := range sortedKeys(shards) {
		if err := l.shards(shards[log], log); err != nil {
			return err
		}
	}
	slices.SortStableFunc(l.store.logs, func(a, b LogKey) int { return strings.Compare(a.Name, b.Name) })
	for _, k := range l.store.logs {
		l.store.plain = append(l.store.plain, k.Log)
		l.store.keys = append(l.store.keys, Key{KindLog, k.Name, k.Source, k.Window, k.ID, pinned(KindLog, k.ID)})
	}
	return nil
}

// logKey makes a log of a key that rekor can use.
func logKey(file, name string, key crypto.PublicKey, spki []byte) (LogKey, error) {
	if name == "" || strings.ContainsAny(name, " +\n") {
		// C2SP signed-note: a key name has no space and no plus sign.
		return LogKey{}, &FormatError{File: file, Found: fmt.Sprintf("log name %.100q", name), Want: "a name without space and plus sign"}
	}
	if !isP256(key) && !isEd25519(key) {
		return LogKey{}, &FormatError{File: file, Found: fmt.Sprintf("a key of type %T", key), Want: "an ECDSA P-256 or Ed25519 key"}
	}
	return LogKey{Log: rekor.Log{Name: name, Key: key, ID: canon.Sum(spki)}, Source: file}, nil
}

// shards reads {"shards": [{"tree_id": "…", "offset": "…"}]} for the logs of that name.
func (l *loader) shards(file, log string) error {
	b, err := l.read(file)
	if err != nil {
		return err
	}
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return err
	}
	list, err := array(file, doc, "shards")
	if err != nil {
		return err
	}
	if !list.Exists() {
		return malformed(file, doc, "shards", "an array of {tree_id, offset}")
	}
	offsets := make(map[string]uint64, list.Len())
	for _, v := range list.Elements() {
		tree, err := decimal(file, v, "tree_id")
		if err != nil {
			return err
		}
		offset, err := decimal(file, v, "offset")
		if err != nil {
			return err
		}
		id := strconv.FormatUint(tree, 10)
		if _, again := offsets[id]; again {
			return malformed(file, v, "tree_id", "each tree once")
		}
		offsets[id] = offset
	}
	named := false
	for i := range l.store.logs {
		if l.store.logs[i].Name == log {
			named = true
			l.store.logs[i].Offsets = offsets
		}
	}
	if !named {
		return &FormatError{File: file, Found: "no key of log " + strconv.Quote(log), Want: "rekor/" + log + ".pem beside it"}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
