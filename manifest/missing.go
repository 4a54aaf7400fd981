package manifest

import "strings"

// noFile begins what a missing page is reported as.
const noFile = "no file "

// MissingFiles lists the files of the pages and system bodies that are not there, as named in the bundle, in the order of the manifest.
func (c *Corpus) MissingFiles() []string {
	names := make([]string, 0, len(c.missing))
	for _, p := range c.missing {
		names = append(names, strings.TrimPrefix(p.Found, noFile))
	}
	return names
}
