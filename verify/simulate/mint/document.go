package mint

import (
	"strconv"
	"unicode/utf8"
)

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// Object is a JSON object whose members keep their order: documents are written for people to read.
// Values are nil, bool, string, int, int64, uint64, Literal, Object, []any or []string.
type Object []Member

// Literal is JSON text that is written as it stands, such as "0.0".
type Literal string

// Obj makes an object from names and values in turn.
func Obj(pairs ...any) Object {
	o := make(Object, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		o = append(o, Member{name, pairs[i+1]})
	}
	return o
}

// Get is the value of a member, nil where there is none.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Set replaces the value of a member in place, or returns the object with the member appended.
func (o Object) Set(name string, value any) Object {
	for i, m := range o {
		if m.Name == name {
			o[i].Value = value
			return o
		}
	}
	return append(o, Member{name, value})
}

// Without returns the object without a member.
func (o Object) Without(name string) Object {
	out := make(Object, 0, len(o))
	for _, m := range o {
		if m.Name != name {
			out = append(out, m)
		}
	}
	return out
}

// Compact writes a document on one line, ended by LF.
func Compact(v any) []byte { return append(appendJSON(nil, v, -1), '\n') }

// Indented writes a document with one space of indentation a level, ended by LF.
func Indented(v any) []byte { return append(appendJSON(nil, v, 0), '\n') }

// AppendCompact appends a document on one line, without a final LF.
func AppendCompact(dst []byte, v any) []byte { return appendJSON(dst, v, -1) }

// appendJSON writes v; depth is the level of indentation, negative for one line.
func appendJSON(dst []byte, v any, depth int) []byte {
	switch x := v.(type) {
	case bool:
		return strconv.AppendBool(dst, x)
	case string:
		return appendString(dst, x)
	case int:
		return strconv.AppendInt(dst, int64(x), 10)
	case int64:
		return strconv.AppendInt(dst, x, 10)
	case uint64:
		return strconv.AppendUint(dst, x, 10)
	case Literal:
		return append(dst, x...)
	case []string:
		return appendList(dst, '[', ']', len(x), depth, func(dst []byte, i, _ int) []byte { return appendString(dst, x[i]) })
	case []any:
		return appendList(dst, '[', ']', len(x), depth, func(dst []byte, i, d int) []byte { return appendJSON(dst, x[i], d) })
	case Object:
		return appendList(dst, '{', '}', len(x), depth, func(dst []byte, i, d int) []byte {
			dst = append(appendString(dst, x[i].Name), ':')
			if d >= 0 {
				dst = append(dst, ' ')
			}
			return appendJSON(dst, x[i].Value, d)
		})
	}
	return append(dst, "null"...)
}

// appendList writes the brackets, commas and line breaks around n items.
func appendList(dst []byte, open, end byte, n, depth int, item func(dst []byte, i, depth int) []byte) []byte {
	dst = append(dst, open)
	inner := depth
	if depth >= 0 {
		inner = depth + 1
	}
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBreak(dst, inner)
		dst = item(dst, i, inner)
	}
	if n > 0 {
		dst = appendBreak(dst, depth)
	}
	return append(dst, end)
}

func appendBreak(dst []byte, depth int) []byte {
	if depth < 0 {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, ' ')
	}
	return dst
}

// appendString writes a JSON string; characters beyond ASCII stay as they are.
func appendString(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < 0x20 || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRuneInString(s[i:])
			dst = append(dst, s[i:i+size]...)
			i += size
			continue
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}
