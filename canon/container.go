package canon

import (
	"fmt"
	"hash/maphash"
)

// linearNames is up to how many members a name is looked for one by one; a larger object gets a table.
const linearNames = 16

// container reads an array or an object whose first byte is at the current place.
func (p *parser) container(kind Kind) bool {
	if p.depth++; p.depth > MaxDepth {
		return p.refuseAt(p.at, fmt.Sprintf("%d nested values", p.depth), fmt.Sprintf("at most %d", MaxDepth))
	}
	self := len(p.nodes)
	p.add(node{kind: kind, start: uint32(p.at)})
	p.reading = false
	p.at++
	closing := byte(']')
	if kind == Object {
		closing = '}'
	}
	count, ok := p.contents(self, kind, closing)
	if !ok {
		return false
	}
	n := &p.nodes[self]
	n.end, n.next, n.count = uint32(p.at), uint32(len(p.nodes)), count
	p.depth--
	return true
}

// contents reads up to and with the closing byte and counts the elements or live members.
func (p *parser) contents(self int, kind Kind, closing byte) (count uint32, ok bool) {
	p.space()
	if p.at < len(p.src) && p.src[p.at] == closing {
		p.at++
		return 0, true
	}
	names := names{p: p, first: uint32(self + 1)}
	for {
		if kind == Object && !p.name(&names) {
			return 0, false
		}
		p.space()
		if !p.value() {
			return 0, false
		}
		count++
		p.space()
		if p.at >= len(p.src) {
			return 0, p.refuse(fmt.Sprintf("',' or %q", closing))
		}
		switch c := p.src[p.at]; c {
		case ',':
			p.at++
			p.space()
		case closing:
			p.at++
			return count - names.dead, true
		default:
			return 0, p.refuse(fmt.Sprintf("',' or %q", closing))
		}
	}
}

// name reads a member name and its colon.
func (p *parser) name(seen *names) bool {
	if p.at >= len(p.src) || p.src[p.at] != '"' {
		return p.refuse("a member name in double quotes")
	}
	at, start := uint32(len(p.nodes)), p.at
	if !p.str() {
		return false
	}
	if earlier, found := seen.add(at); found {
		if p.strict {
			return p.refuseAt(start, "a second member "+quote((&document{src: p.src, nodes: p.nodes}).text(at)), "each name once")
		}
		p.nodes[earlier].flags |= flagDead
		seen.dead++
	}
	p.space()
	if p.at >= len(p.src) || p.src[p.at] != ':' {
		return p.refuse("':'")
	}
	p.at++
	return true
}

// names finds repeated member names of one object: up to linearNames one by one, more in a hash table.
type names struct {
	p     *parser
	first uint32 // node of the first name
	count int
	dead  uint32
	seen  uint64   // one bit for each sketch of an earlier name
	table []uint32 // node of a name by the hash of the name, the next free slot where that is taken; 0 is free
}

// sketch is one of 64 bits chosen by a name: two names with different bits differ.
func sketch(name string) uint64 {
	n := len(name)
	if n == 0 {
		return 1
	}
	return 1 << ((n + 7*int(name[0]) + 13*int(name[n/2]) + 31*int(name[n-1])) & 63)
}

// add records the name at node at and gives the live earlier member of that name, if there is one.
func (n *names) add(at uint32) (earlier uint32, found bool) {
	d := document{src: n.p.src, nodes: n.p.nodes}
	name := d.text(at)
	n.count++
	if n.count > linearNames {
		return n.lookUp(&d, name, at)
	}
	bit := sketch(name)
	if n.seen&bit == 0 {
		n.seen |= bit
		return 0, false
	}
	for i := n.first; i < at; i = d.nodes[i+1].next {
		if d.nodes[i].flags&flagDead == 0 && d.text(i) == name {
			return i, true
		}
	}
	return 0, false
}

// lookUp is add for a large object.
func (n *names) lookUp(d *document, name string, at uint32) (earlier uint32, found bool) {
	if 2*n.count > len(n.table) {
		n.table = make([]uint32, 4*len(n.table)+8*linearNames)
		for i := n.first; i < at; i = d.nodes[i+1].next {
			if d.nodes[i].flags&flagDead == 0 {
				*n.slot(d, d.text(i)) = i
			}
		}
	}
	slot := n.slot(d, name)
	earlier = *slot
	*slot = at
	return earlier, earlier != 0
}

// hashSeed differs from run to run, so that no document can be made whose names all fall into one slot. No result depends on it.
var hashSeed = maphash.MakeSeed()

// slot is the place in the table of a name, or the free one where it belongs.
func (n *names) slot(d *document, name string) *uint32 {
	size := uint64(len(n.table))
	for i := maphash.String(hashSeed, name) % size; ; i = (i + 1) % size {
		if s := &n.table[i]; *s == 0 || d.text(*s) == name {
			return s
		}
	}
}
