package replay

import "github.com/ark-forge/proveit/verify"

// Codes that a replay gives beyond those of the packages below.
const (
	ReasonUnreadable    verify.Reason = "file_unreadable" // a file under proofs/ or rekor/, or a submission, cannot be read; its contents count as missing
	ReasonCorpusMissing verify.Reason = "corpus_missing"  // a page of the frozen corpus is not in the bundle
	ReasonCorpusDiffers verify.Reason = "corpus_differs"  // a page of the frozen corpus is not the one that the manifest describes
	ReasonFileMissing   verify.Reason = "file_missing"    // a file that season.json names is not in the bundle
	ReasonTrustUnpinned verify.Reason = "trust_unpinned"  // trust material comes from the bundle and matches no built-in fingerprint
	ReasonNameOutside   verify.Reason = "name_outside"    // a name outside the layout of a bundle; it is ignored
	ReasonPublishedForm verify.Reason = "published_form"  // a published index cannot be read
	ReasonTrustMissing  verify.Reason = "trust_missing"   // there is no trust material at all

	ReasonMalformed      verify.Reason = "file_malformed"         // a file that season.json names is not of its format
	ReasonScaleVersion   verify.Reason = "bareme_version_unknown" // a scale of a version that this program does not implement for the track
	ReasonKeyTaskMissing verify.Reason = "key_task_missing"       // the key does not answer a task of the scale

	ReasonImportUnknown  verify.Reason = "import_unknown"  // neither views of proofs, nor log entries, nor submissions
	ReasonImportNull     verify.Reason = "import_null"     // an answer says that there is no such proof or log entry, and the bundle has it
	ReasonImportDiffers  verify.Reason = "import_differs"  // another submission for the same task is in the bundle; nothing is overwritten
	ReasonImportRepeated verify.Reason = "import_repeated" // two submissions for one task are handed in, and they differ
	ReasonImportSeason   verify.Reason = "import_season"   // without season.json, enrolments and scales nobody can tell where a submission belongs
)
