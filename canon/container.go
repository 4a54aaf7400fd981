package canon

import "fmt"

// linearNames is up to how many members a name is looked for one by one; a larger object gets a map.
const linearNames = 16

// container reads an array or an object whose first byte is at the current place.
func (p *parser) container(kind Kind) bool {
	if p.depth++; p.depth > MaxDepth {
		return p.refuseAt(p.at, fmt.Sprintf("%d nested values", p.depth), fmt.Sprintf("at most %d", MaxDepth))
	}
	self := len(p.nodes)
	p.nodes = append(p.nodes, node{kind: kind, start: uint32(p.at)})
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

// names finds repeated member names of one object.
type names struct {
	p     *parser
	first uint32 // node of the first name
	count int
	dead  uint32
	seen  uint64            // one bit for each sketch of an earlier name
	index map[string]uint32 // used past linearNames members
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
	if n.index == nil {
		n.index = make(map[string]uint32, 4*linearNames)
		for i := n.first; i < at; i = d.nodes[i+1].next {
			n.index[d.text(i)] = i
		}
	}
	earlier, found = n.index[name]
	n.index[name] = at
	return earlier, found
}
