package submission

import (
	"errors"
	"strings"
)

func checkDID(did string) error {
	if strings.HasPrefix(did, "did:key:z6Mk") || strings.HasPrefix(did, "did:web:") {
		return nil
	}
	return errors.New("did:key or did:web")
}
