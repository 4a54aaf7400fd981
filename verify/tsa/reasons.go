package tsa

import "github.com/ark-forge/proveit/verify"

// Reasons for which a timestamp response is refused, in the order in which they are looked for.
const (
	ReasonSize               verify.Reason = "tsa_size"                // the response is empty or larger than MaxResponse
	ReasonBareToken          verify.Reason = "tsa_bare_token"          // a TimeStampToken stands where a TimeStampResp is expected
	ReasonEncoding           verify.Reason = "tsa_encoding"            // the bytes are not the one DER encoding of what they say, or something follows
	ReasonStatus             verify.Reason = "tsa_status"              // the PKIStatus is neither granted (0) nor grantedWithMods (1)
	ReasonNoToken            verify.Reason = "tsa_no_token"            // the status says granted, and no token is there
	ReasonContentType        verify.Reason = "tsa_content_type"        // the signed content is not a TSTInfo, or its signed type says otherwise
	ReasonSignerCount        verify.Reason = "tsa_signer_count"        // there is not exactly one SignerInfo
	ReasonVersion            verify.Reason = "tsa_version"             // SignedData, SignerInfo or TSTInfo has another version than RFC 3161 gives it
	ReasonSignedAttributes   verify.Reason = "tsa_signed_attributes"   // a signed attribute that must be there once is missing, repeated or has no single value
	ReasonDigestAlgorithm    verify.Reason = "tsa_digest_algorithm"    // a digest is SHA-1 or weaker (for the imprint, than SHA-256), unknown, or not declared
	ReasonMessageDigest      verify.Reason = "tsa_message_digest"      // the signed message-digest is not that of the TSTInfo
	ReasonSigningCertificate verify.Reason = "tsa_signing_certificate" // the ESSCertID attribute is missing, or names another certificate than the signer's
	ReasonSignerUnknown      verify.Reason = "tsa_signer_unknown"      // neither the trust set nor the token holds the certificate that the SignerInfo names
	ReasonSignatureAlgorithm verify.Reason = "tsa_signature_algorithm" // the signature algorithm is unknown or does not go with the digest
	ReasonSignature          verify.Reason = "tsa_signature"           // the signature does not hold under the signer's key
	ReasonCertificateUsage   verify.Reason = "tsa_certificate_usage"   // the signer's certificate is not for timestamping alone, critically, or its key may not sign
	ReasonCertificateCA      verify.Reason = "tsa_certificate_ca"      // the signer's certificate is that of a certification authority
	ReasonCertificateWindow  verify.Reason = "tsa_certificate_window"  // the signer's certificate was not valid at the token's time
	ReasonChain              verify.Reason = "tsa_chain"               // the signer's certificate does not lead to a configured root at the token's time
	ReasonExtension          verify.Reason = "tsa_extension"           // the TSTInfo carries a critical extension; none is known here
	ReasonImprint            verify.Reason = "tsa_imprint"             // the imprint is not the hash of the anchored bytes
	ReasonPolicy             verify.Reason = "tsa_policy"              // the policy is not one of those accepted for this authority
)
