package replay

import (
	"container/list"
	"sync"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

// viewCache is how many bytes of parsed view files are kept. Parsed, a file takes about twice its size.
const viewCache = 8 << 20

// viewFiles reads and parses the files of proof views, and keeps those used last.
type viewFiles struct {
	bundle *bundle.Bundle
	names  []string

	mu    sync.Mutex
	used  *list.List            // of *viewFile, the last used in front
	files map[int]*list.Element // by index into names
	bytes int
}

// viewFile is one parsed file.
type viewFile struct {
	index   int
	once    sync.Once
	size    int // counted in viewFiles.bytes; guarded by its mutex
	views   []proof.View
	failure *verify.Failure
}

func newViewFiles(b *bundle.Bundle, names []string) *viewFiles {
	return &viewFiles{bundle: b, names: names, used: list.New(), files: map[int]*list.Element{}}
}

// load gives the views of the file at an index. Several workers that ask for one file wait for one reading of it.
func (c *viewFiles) load(index int) ([]proof.View, *verify.Failure) {
	f := c.entry(index)
	f.once.Do(func() {
		var size int
		f.views, size, f.failure = c.parse(c.names[index])
		c.account(f, size)
	})
	return f.views, f.failure
}

func (c *viewFiles) entry(index int) *viewFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.files[index]; ok {
		c.used.MoveToFront(e)
		return e.Value.(*viewFile)
	}
	f := &viewFile{index: index}
	c.files[index] = c.used.PushFront(f)
	return f
}

// account adds a file's size and drops those not used for longest. The one just added stays.
func (c *viewFiles) account(f *viewFile, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.files[f.index]; !ok || e.Value.(*viewFile) != f {
		return // dropped while it was read
	}
	f.size = size
	c.bytes += size
	for c.bytes > viewCache && c.used.Len() > 1 {
		last := c.used.Back()
		old := last.Value.(*viewFile)
		c.used.Remove(last)
		delete(c.files, old.index)
		c.bytes -= old.size
	}
}

func (c *viewFiles) parse(name string) ([]proof.View, int, *verify.Failure) {
	b, err := c.bundle.Read(name)
	if err != nil {
		return nil, 0, unreadable(name, err)
	}
	views, err := proof.Views(name, b)
	if err != nil {
		return nil, 0, unreadable(name, err)
	}
	return views, len(b), nil
}
