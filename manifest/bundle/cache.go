package bundle

import (
	"container/list"
	"sync"
)

// cache keeps inflated files up to a number of bytes, the least recently used leaving first. A file that several goroutines want at
// once is inflated once.
type cache struct {
	mu    sync.Mutex
	limit int64
	held  int64
	items map[string]*cached
	order list.List // of *cached, most recently used first; holds those that are done
}

type cached struct {
	name  string
	done  chan struct{} // closed when data and err are set
	data  []byte
	err   error
	place *list.Element
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, items: map[string]*cached{}}
}

// get returns the file from the cache or from load. Files larger than a quarter of the bound are not kept: one of them would push out
// everything else. Errors are not kept either.
func (c *cache) get(name string, size int64, load func() ([]byte, error)) ([]byte, error) {
	if size > c.limit/4 {
		return load()
	}
	c.mu.Lock()
	if it, ok := c.items[name]; ok {
		if it.place != nil {
			c.order.MoveToFront(it.place)
		}
		c.mu.Unlock()
		<-it.done
		return it.data, it.err
	}
	it := &cached{name: name, done: make(chan struct{})}
	c.items[name] = it
	c.mu.Unlock()

	it.data, it.err = load()
	close(it.done)

	c.mu.Lock()
	defer c.mu.Unlock()
	if it.err != nil {
		delete(c.items, name)
		return nil, it.err
	}
	it.place = c.order.PushFront(it)
	c.held += int64(len(it.data))
	for c.held > c.limit {
		last := c.order.Remove(c.order.Back()).(*cached)
		delete(c.items, last.name)
		c.held -= int64(len(last.data))
	}
	return it.data, nil
}
