package report

// keyAdvice says, for each kind of trusted key, which bytes its SHA-256 is over, and what to compare it with: where it matches a fingerprint
// built into the program, and where it does not. English, French.
var keyAdvice = map[string]struct{ hashed, pinned, unpinned [2]string }{
	"issuer_key": {
		hashed: [2]string{"of the 32 raw bytes of the Ed25519 key", "des 32 octets bruts de la clé Ed25519"},
		pinned: [2]string{"the built-in fingerprint of the issuer’s key-1, ed25519:ZLlGE0eN0eTNUE9vaK1tStf6AuoFUWqJBvqx7QgxfEY: equal",
			"l’empreinte intégrée de la clé key-1 de l’émetteur, ed25519:ZLlGE0eN0eTNUE9vaK1tStf6AuoFUWqJBvqx7QgxfEY : égale"},
		unpinned: [2]string{"the key that the issuer publishes at two places of its own (its key page and its did.json), read over another network than the one this folder came by",
			"la clé que l’émetteur publie à deux endroits à lui (sa page de clés et son did.json), lue par un autre réseau que celui d’où vient ce dossier"},
	},
	"rekor_key": {
		hashed: [2]string{"of the SubjectPublicKeyInfo in DER", "du SubjectPublicKeyInfo en DER"},
		unpinned: [2]string{"rekor_keys of the issuer’s published keys, and the key in the body of any of its older log entries: openssl pkey -pubin -outform DER | sha256sum",
			"rekor_keys des clés publiées de l’émetteur, et la clé dans le corps de toute entrée de journal plus ancienne : openssl pkey -pubin -outform DER | sha256sum"},
	},
	"log_key": {
		hashed: [2]string{"of the SubjectPublicKeyInfo in DER, which is the log id", "du SubjectPublicKeyInfo en DER, qui est l’identifiant du journal"},
		pinned: [2]string{"the built-in log id of the public log rekor.sigstore.dev: equal",
			"l’identifiant intégré du journal public rekor.sigstore.dev : égal"},
		unpinned: [2]string{"the log id in the operator’s own trusted root (for Sigstore, trusted_root.json of its TUF repository), and logID in entries of that log that others hold",
			"l’identifiant dans la racine de confiance de l’opérateur (pour Sigstore, trusted_root.json de son dépôt TUF), et logID dans des entrées de ce journal détenues par d’autres"},
	},
	"tsa_root": {
		hashed:   [2]string{"of the certificate in DER", "du certificat en DER"},
		pinned:   [2]string{"the built-in fingerprint of FreeTSA’s root certificate: equal", "l’empreinte intégrée du certificat racine de FreeTSA : égale"},
		unpinned: [2]string{"the root that the authority publishes on its own site, or that an operating system’s store holds: openssl x509 -fingerprint -sha256", "la racine que l’autorité publie sur son propre site, ou que détient le magasin d’un système : openssl x509 -fingerprint -sha256"},
	},
	"tsa_certificate": {
		hashed:   [2]string{"of the certificate in DER", "du certificat en DER"},
		unpinned: [2]string{"nothing further: it counts only where it chains to a root of the same folder: openssl verify -CAfile root.pem", "rien de plus : il ne compte que s’il remonte à une racine du même dossier : openssl verify -CAfile root.pem"},
	},
}

// KeyAdvice says which bytes the SHA-256 of a key of that kind is over, and what to compare it with.
func KeyAdvice(kind string, pinned bool, l Lang) (hashed, compare string) {
	a, ok := keyAdvice[kind]
	if !ok {
		return "", ""
	}
	if pinned {
		return a.hashed[l], a.pinned[l]
	}
	return a.hashed[l], a.unpinned[l]
}
