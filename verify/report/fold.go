package report

import (
	"html/template"
	"text/template/parse"
)

// fold writes the words of the interface into a template where they stand, once for a language: most of what a page calls for is the same
// on every page, and calling for it costs more than everything else that a report needs.
func fold(list *parse.ListNode, words map[string]func(arg string) any) {
	if list == nil {
		return
	}
	for i, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.ActionNode:
			if v, ok := constant(n.Pipe, words); ok {
				list.Nodes[i] = &parse.TextNode{NodeType: parse.NodeText, Pos: n.Pos, Text: []byte(markup(v))}
			}
		case *parse.IfNode:
			fold(n.List, words)
			fold(n.ElseList, words)
		case *parse.WithNode:
			fold(n.List, words)
			fold(n.ElseList, words)
		case *parse.RangeNode:
			fold(n.List, words)
			fold(n.ElseList, words)
		}
	}
}

// constant evaluates a pipe of one call, such as {{label "found"}} or {{capital (label "found")}}, where nothing in it depends on data.
func constant(pipe *parse.PipeNode, words map[string]func(string) any) (any, bool) {
	if len(pipe.Cmds) != 1 || len(pipe.Decl) != 0 {
		return nil, false
	}
	args := pipe.Cmds[0].Args
	name, ok := args[0].(*parse.IdentifierNode)
	if !ok || words[name.Ident] == nil || len(args) > 2 {
		return nil, false
	}
	arg := ""
	if len(args) == 2 {
		switch a := args[1].(type) {
		case *parse.StringNode:
			arg = a.Text
		case *parse.PipeNode:
			inner, ok := constant(a, words)
			if arg, _ = inner.(string); !ok || arg == "" {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return words[name.Ident](arg), true // a string or template.HTML
}

// markup is a word as it stands in a page; markup of this package stands as it is.
func markup(v any) string {
	if h, ok := v.(template.HTML); ok {
		return string(h)
	}
	return esc(v.(string))
}
