package form

import (
	"regexp"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

var semver = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)

// Version is what the declared version of an agreement means for its own form and for that of its request and results, which carry none
// and inherit it (R022, R023).
type Version uint8

// The versions.
const (
	Known     Version = iota // 1.0.z, whose schema is known; a document without an agreement is read as that
	Newer                    // 1.y.z: what 1.0 defines is audited, what it does not is not established
	Foreign                  // another major version: nothing is known of its schema
	Malformed                // no SemVer
)

// VersionOf is the version that an agreement declares; that of no agreement is Known.
func VersionOf(a *document.Agreement) Version {
	if a == nil {
		return Known
	}
	switch m := semver.FindStringSubmatch(a.Version); {
	case m == nil:
		return Malformed
	case m[1] != "1":
		return Foreign
	case m[2] != "0":
		return Newer
	}
	return Known
}

// unknown is how grave a member is that 1.0 does not define.
func (v Version) unknown() finding.Severity {
	if v == Newer {
		return finding.Note
	}
	return finding.Warn
}

// checkVersion records R021 to R023.
func checkVersion(a *document.Agreement, l *finding.Log) Version {
	at, v, declared := a.At("asa_version"), VersionOf(a), document.Clip(a.Version)
	if v == Malformed {
		if a.Get("asa_version").Kind() == canon.String {
			l.Gap(finding.Reject, "R021", "not-semver", at, declared, "SemVer 2.0.0: three numbers without leading zeros")
		}
		return v
	}
	l.OK("R021")
	if semver.FindStringSubmatch(a.Version)[4] != "" {
		l.Gap(finding.Warn, "R022", "pre-release", at, declared, "a released version")
	}
	switch v {
	case Foreign:
		l.Gap(finding.Reject, "R022", "major-version", at, declared, "1.y.z, or an explicit migration")
		l.Missing("R023", "newer-schema", at, "the schema of "+declared)
	case Newer:
		l.Gap(finding.Note, "R022", "newer-minor", at, declared, "1.0 is audited; new optional fields take their defaults")
		l.Missing("R023", "newer-schema", at, "the schema of "+declared)
	default:
		l.OK("R022")
		l.OK("R023")
	}
	return v
}

// foreign records R023 of a document whose agreement has another major version, and reports whether it has.
func (v Version) foreign(d *document.Document, l *finding.Log) bool {
	if v == Foreign {
		l.Missing("R023", "newer-schema", d.At(), "the schema of the agreement's version")
	}
	return v == Foreign
}
