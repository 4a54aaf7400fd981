package form

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/verify/asa/document"
)

// A schema is written from the same table that Validate walks, so that the two cannot come apart. It accepts what Validate does not refuse:
// findings that are no refusals (a weight, an order of tiers, an unknown member) are not in it.

const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// instantPattern is the form of an RFC 3339 date-time with an offset, upper case, without leap seconds.
const instantPattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,30})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`

// Schema is the JSON Schema (2020-12) of a kind of document, by a name such as "asa-agreement", and whether there is one.
func Schema(name string) ([]byte, bool) {
	if k := Named(name); k != nil {
		return encodeSchema(k.schema()), true
	}
	return nil, false
}

// SchemaNames are the names of the schemas, sorted.
func SchemaNames() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

type object = map[string]any

func (k *Kind) schema() object {
	s := objectSchema(k.fields, nil)
	others := "are read by nobody, and noted."
	if k.closed {
		closeAll(s)
		others = "are refused."
	}
	maps.Copy(s, object{"$schema": schemaDialect, "$id": "urn:proveit:schema:" + k.name, "title": k.name,
		"description": k.says + " At most 1 MiB, 64 levels deep, no name twice. An integer is written without fraction and exponent. Members that the schema does not name " + others})
	if more := refined[k.name]; more != nil {
		more(s)
	}
	return s
}

// closeAll refuses every member that a schema and those below it do not name.
func closeAll(s object) {
	s["additionalProperties"] = false
	for _, below := range s["properties"].(object) {
		if below := below.(object); below["properties"] != nil {
			closeAll(below)
		}
	}
}

func objectSchema(fields, each []field) object {
	s := object{"type": "object"}
	properties, required := object{}, []any{}
	for _, f := range fields {
		properties[f.name] = f.schema()
		if f.required {
			required = append(required, f.name)
		}
	}
	if len(properties) > 0 {
		s["properties"] = properties
	}
	if len(required) > 0 {
		s["required"] = required
	}
	if each != nil {
		s["additionalProperties"], s["maxProperties"] = objectSchema(each, nil), document.MaxItems
	}
	return s
}

func (f field) schema() object {
	switch f.shape {
	case aString:
		return f.stringSchema()
	case aNumber:
		return object{"type": "number"}
	case nonNegative:
		return object{"type": "number", "minimum": 0}
	case positive:
		return object{"type": "integer", "minimum": 1}
	case aBool:
		return object{"type": "boolean"}
	case anInstant:
		return object{"type": "string", "pattern": instantPattern, "format": "date-time"}
	case anObject:
		return objectSchema(f.fields, f.each)
	case anArray:
		return f.arraySchema()
	case aStringOrNull:
		return object{"type": []any{"string", "null"}}
	case aCount:
		return object{"type": "integer", "minimum": 0}
	case aDecimal:
		return object{"type": []any{"number", "string"}, "minimum": 0, "pattern": document.AmountForm.String()}
	case aShare:
		return object{"type": []any{"number", "string"}, "minimum": 0, "maximum": 1, "pattern": shareForm.String()}
	}
	return object{"not": object{"type": "null"}}
}

func (f field) stringSchema() object {
	s := object{"type": "string"}
	if f.words != nil {
		s["enum"] = f.words
	}
	if f.pattern != nil {
		s["pattern"] = f.pattern.String()
	}
	return s
}

func (f field) arraySchema() object {
	s := object{"type": "array", "maxItems": document.MaxItems}
	if f.most > 0 {
		s["maxItems"] = f.most
	}
	if f.fields != nil {
		s["items"] = objectSchema(f.fields, nil)
	} else if f.of != anything {
		s["items"] = field{shape: f.of}.schema()
	}
	return s
}

// refined adds to a schema the refusals that are no matter of shape.
var refined = map[string]func(object){"asa-agreement": refineAgreement, "asa-request": refineRequest}

func refineAgreement(s object) {
	set(s, "pattern", agreementID.String(), "agreement_id")
	set(s, "pattern", strings.Replace(semver.String(), "^(0|[1-9][0-9]*)", "^(1)", 1), "asa_version")
	set(s, "pattern", anyCase(document.States), "status")
	refineCriteria(at(s, "quality_criteria"))
	amount := object{"type": "string", "pattern": document.AmountForm.String()}
	s["if"] = object{"properties": object{"escrow": object{"properties": object{"enabled": object{"const": true}}, "required": []any{"enabled"}}}, "required": []any{"escrow"}}
	s["then"] = object{"properties": object{"escrow": object{"required": []any{"payment"}, "properties": object{"payment": object{
		"required": []any{"amount", "currency"},
		"properties": object{
			"amount": amount, "currency": object{"pattern": currency.String()},
			"fees": object{"items": object{"required": []any{"amount"}, "properties": object{"amount": amount}}},
		},
	}}}}}
}

// refineRequest: a request's own criteria count where no agreement governs it.
func refineRequest(s object) {
	criteria := objectSchema(criteriaFields, nil)
	refineCriteria(criteria)
	s["if"] = object{"not": object{"required": []any{"agreement_id"}}, "properties": object{"quality_criteria": object{"minProperties": 1}}, "required": []any{"quality_criteria"}}
	s["then"] = object{"properties": object{"quality_criteria": criteria}}
}

func refineCriteria(s object) {
	words := []any{"gte", "lte", "eq", "gt", "lt", "neq", "between"}
	dimension := at(s, "dimensions")["items"].(object)
	set(dimension, "enum", words, "slo", "operator")
	set(dimension, "enum", words, "shadow_slo", "operator")
}

// at is the schema of a member below a schema of an object. The names are those of the tables above.
func at(s object, names ...string) object {
	for _, name := range names {
		s = s["properties"].(object)[name].(object)
	}
	return s
}

func set(s object, keyword string, value any, names ...string) { at(s, names...)[keyword] = value }

// anyCase is a pattern of words in any mixture of cases of ASCII.
func anyCase(words []string) string {
	var all []string
	for _, w := range words {
		var b strings.Builder
		for _, c := range w {
			b.WriteString("[" + string(c) + strings.ToUpper(string(c)) + "]")
		}
		all = append(all, b.String())
	}
	return "^(" + strings.Join(all, "|") + ")$"
}

// encodeSchema writes a schema with its members in alphabetical order.
func encodeSchema(s object) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(s); err != nil {
		return nil // only types that JSON writes are used above
	}
	return b.Bytes()
}
