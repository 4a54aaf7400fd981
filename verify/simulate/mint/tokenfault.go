package mint

// TokenFault names the one thing that is different in a token. The empty fault gives a token that holds.
type TokenFault string

// What can differ in a token. The first group still holds.
const (
	TokenGood         TokenFault = ""
	TokenGrantedMods  TokenFault = "granted-with-mods" // PKIStatus 1, which holds
	TokenFineImprint  TokenFault = "sha512-imprint"    // imprint by SHA-512, which holds
	TokenEmbedded     TokenFault = "embedded"          // carries its certificates whatever the authority's habit, which holds
	TokenESSv2        TokenFault = "ess-v2"            // ESSCertID of RFC 5035 whatever the authority's habit, which holds
	TokenNoSigningAt  TokenFault = "no-signing-time"   // no signing-time attribute, which holds
	TokenOtherImprint TokenFault = "other-imprint"     // imprint of other bytes
	TokenHexImprint   TokenFault = "hex-imprint"       // imprint of the hex text instead of the raw bytes
	TokenSHA1Imprint  TokenFault = "sha1-imprint"      // imprint by SHA-1
	TokenShortImprint TokenFault = "short-imprint"     // imprint without its last byte

	TokenEditedTime   TokenFault = "edited-time"        // genTime moved by ten minutes after signing
	TokenBroken       TokenFault = "broken-signature"   // one bit of the signature flipped
	TokenOtherDigest  TokenFault = "other-digest"       // message-digest attribute of another content
	TokenBare         TokenFault = "bare"               // ContentInfo without the response around it
	TokenTrailing     TokenFault = "trailing"           // bytes after the response
	TokenTruncated    TokenFault = "truncated"          // last byte missing
	TokenNoESS        TokenFault = "no-ess"             // no signing-certificate attribute
	TokenOtherESS     TokenFault = "other-ess"          // signing-certificate attribute of another certificate
	TokenOtherType    TokenFault = "other-content-type" // signed content-type is "data"
	TokenNoAttributes TokenFault = "no-attributes"      // signed without attributes
	TokenOtherPolicy  TokenFault = "other-policy"       // a policy that the trust folder does not accept
	TokenVersion2     TokenFault = "version-2"          // TSTInfo version 2
	TokenCritical     TokenFault = "critical-extension" // an unknown critical extension in TSTInfo
	TokenTwoSigners   TokenFault = "two-signers"        // two SignerInfo
	TokenNoSigner     TokenFault = "no-signer"          // no SignerInfo
	TokenRejection    TokenFault = "status-2"           // PKIStatus 2 with a token
	TokenEmpty        TokenFault = "granted-no-token"   // PKIStatus 0 without a token
	TokenRefused      TokenFault = "refused"            // PKIStatus 2 without a token

	TokenExpired          TokenFault = "expired"            // the signer's certificate ended before genTime
	TokenNotYetValid      TokenFault = "not-yet-valid"      // the signer's certificate begins after genTime
	TokenSignerIsCA       TokenFault = "signer-is-ca"       // the signer's certificate is an authority's
	TokenTwoUsages        TokenFault = "two-usages"         // timeStamping and codeSigning
	TokenOtherUsage       TokenFault = "other-usage"        // codeSigning alone
	TokenNoUsage          TokenFault = "no-usage"           // no extended key usage
	TokenUsageNotCritical TokenFault = "usage-not-critical" // timeStamping, not critical
	TokenOtherRoot        TokenFault = "other-root"         // a chain to a root of the same name that nobody configured
	TokenOtherSigner      TokenFault = "other-signer"       // a good certificate that the ESS attribute and the issuer and serial do not name
)

// HoldingTokens are the variants that a verifier must accept.
var HoldingTokens = []TokenFault{TokenGood, TokenGrantedMods, TokenFineImprint, TokenEmbedded, TokenESSv2, TokenNoSigningAt}

// FaultyTokens are the variants that a verifier must refuse.
var FaultyTokens = []TokenFault{
	TokenOtherImprint, TokenHexImprint, TokenSHA1Imprint, TokenShortImprint, TokenEditedTime, TokenBroken, TokenOtherDigest, TokenBare,
	TokenTrailing, TokenTruncated, TokenNoESS, TokenOtherESS, TokenOtherType, TokenNoAttributes, TokenOtherPolicy, TokenVersion2,
	TokenCritical, TokenTwoSigners, TokenNoSigner, TokenRejection, TokenEmpty, TokenRefused, TokenExpired, TokenNotYetValid,
	TokenSignerIsCA, TokenTwoUsages, TokenOtherUsage, TokenNoUsage, TokenUsageNotCritical, TokenOtherRoot, TokenOtherSigner,
}
