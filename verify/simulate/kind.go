package simulate

import (
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// kind is a way in which one proof is made: exact, or different in one thing. It says what must come of an assertion that cites it alone.
type kind struct {
	name     string
	cause    verify.Cause // empty: all four conditions hold, if the claimed value is the page's
	status   verify.TaskStatus
	incident string // what the replay must report beside the judgement

	spec     func(b *builder, s *anchorSpec)
	call     func(b *builder, c *mint.Call, p *page) error
	view     func(v mint.Object) mint.Object
	disclose func(d mint.Object) mint.Object
	file     func(r *receipt, v mint.Object) []filed
}

// filed is a view as it lies in the bundle: in the participant's batch answer, or in a file of its own.
type filed struct {
	name string // inside proofs/<participant>/; empty: the batch answer
	id   string // key in the batch answer, or in the batch answer that the file holds; empty: the file is a single view
	view any    // nil: the service says that the proof does not exist
}

// condition is the number of the condition that a cause belongs to; 0 where there is no cause. An instrument defect stands before the fourth.
func condition(c verify.Cause) int {
	switch c {
	case verify.PreuveInvalide:
		return 1
	case verify.IdentiteNonLiee:
		return 2
	case verify.RessourceNonCorrespondante:
		return 3
	case verify.ValeurNonCorrespondante:
		return 4
	case verify.DefautInstrument:
		return 5
	}
	return 0
}

// outcome is what must come of an assertion that cites proofs of these kinds; differs says that the claimed value is not the page's.
// A system body alone is an instrument defect; beside a proof that fails otherwise, the other failure names the cause.
func outcome(kinds []*kind, differs bool) verify.Cause {
	best := verify.Cause("")
	for _, k := range kinds {
		c := k.cause
		if c == "" && differs {
			c = verify.ValeurNonCorrespondante
		}
		if c != "" && (best == "" || condition(c) < condition(best)) {
			best = c
		}
	}
	return best
}

// otherRequest makes a request other than the canonical one.
func otherRequest(target func(string) string, method func(string) string, edit func(mint.Object) mint.Object) func(*builder, *mint.Call, *page) error {
	return func(_ *builder, c *mint.Call, p *page) error {
		url, verb := baseURL+p.resource, p.method
		if target != nil {
			url = target(p.resource)
		}
		if method != nil {
			verb = method(p.method)
		}
		doc := request(url, verb, p.payload)
		if edit != nil {
			doc = edit(doc)
		}
		var err error
		c.Request, err = hashOf(doc)
		return err
	}
}

// answers makes the response that of another body.
func answers(body func(b *builder, p *page) any) func(*builder, *mint.Call, *page) error {
	return func(b *builder, c *mint.Call, p *page) error {
		var err error
		c.Response, err = hashOf(body(b, p))
		return err
	}
}

// systemBody is one of the three bodies of the instrument.
func systemBody(i int) func(*builder, *page) any {
	return func(b *builder, _ *page) any { return b.corpus.system[i].body }
}

// sets edits the call.
func sets(f func(b *builder, c *mint.Call)) func(*builder, *mint.Call, *page) error {
	return func(b *builder, c *mint.Call, _ *page) error {
		f(b, c)
		return nil
	}
}

// both makes two edits of the call.
func both(first, second func(*builder, *mint.Call, *page) error) func(*builder, *mint.Call, *page) error {
	return func(b *builder, c *mint.Call, p *page) error {
		if err := first(b, c, p); err != nil {
			return err
		}
		return second(b, c, p)
	}
}

// replaced edits one member below the view: the path names members.
func replaced(value func(old any) any, path ...string) func(mint.Object) mint.Object {
	var edit func(o mint.Object, path []string) mint.Object
	edit = func(o mint.Object, path []string) mint.Object {
		old := o.Get(path[0])
		if len(path) == 1 {
			return o.Set(path[0], value(old))
		}
		inner, _ := old.(mint.Object)
		return o.Set(path[0], edit(inner, path[1:]))
	}
	return func(o mint.Object) mint.Object { return edit(o, path) }
}

// to is a replacement by a fixed value.
func to(v any) func(any) any { return func(any) any { return v } }

// flipped changes the last hex digit of a text.
func flipped(old any) any {
	s, _ := old.(string)
	if s == "" {
		return s
	}
	last := byte('0')
	if s[len(s)-1] == '0' {
		last = '1'
	}
	return s[:len(s)-1] + string(last)
}

// tokenAt asks for a token at a time given from the opening or the close.
func tokenAt(when func(b *builder) time.Time) func(*builder, *anchorSpec) {
	return func(b *builder, s *anchorSpec) { s.at = when(b) }
}

// onPath edits the audit path of the batch.
func onPath(f func(path []string) []string) func(mint.Object) mint.Object {
	return replaced(func(old any) any {
		path, _ := old.([]string)
		if len(path) == 0 { // a lot of one proof: any sibling is one too many
			return []string{otherDigest("sibling").String()}
		}
		return f(append([]string{}, path...))
	}, "batch_anchor", "audit_path")
}

// otherDigest is a digest that nothing has.
func otherDigest(label string) canon.Digest { return canon.Sum([]byte("repetition " + label)) }
