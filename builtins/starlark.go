package builtins

// Starlark's own functions, which recipes have too, in a line each. Those that
// dicescript widens are in the table of builtins as well.

// Starlark describes the functions and modules that every Starlark program has.
func Starlark() []Entry {
	return []Entry{
		{Name: "all", Signature: "all(x)", Doc: "Whether every element is true."},
		{Name: "any", Signature: "any(x)", Doc: "Whether some element is true."},
		{Name: "bool", Signature: "bool(x)", Doc: "x as True or False; a roll or a chance is neither."},
		{Name: "bytes", Signature: "bytes(x)", Doc: "Bytes, from a text or a list of numbers."},
		{Name: "chr", Signature: "chr(n)", Doc: "The character with a Unicode number."},
		{Name: "dict", Signature: "dict(pairs)", Doc: "A table of keys and values, from pairs or by name."},
		{Name: "dir", Signature: "dir(x)", Doc: "The names of the methods and attributes of a value."},
		{Name: "enumerate", Signature: "enumerate(x, start=0)", Doc: "Pairs of a counting number and each element."},
		{Name: "fail", Signature: "fail(message)", Doc: "Ends the recipe with an error."},
		{Name: "getattr", Signature: "getattr(x, name, default)", Doc: "A method or attribute by its name."},
		{Name: "hasattr", Signature: "hasattr(x, name)", Doc: "Whether a value has a method or attribute."},
		{Name: "hash", Signature: "hash(text)", Doc: "A number made of a text."},
		{Name: "json", Signature: "json.encode(x), json.decode(text), json.indent(text)", Doc: "Values as JSON text and back."},
		{Name: "len", Signature: "len(x)", Doc: "How many elements a list, text or dict has."},
		{Name: "list", Signature: "list(x)", Doc: "A list of the elements."},
		{Name: "math", Signature: "math.sqrt(x), math.floor(x), math.ceil(x), math.log(x), ...", Doc: "Functions of floats."},
		{Name: "ord", Signature: "ord(text)", Doc: "The Unicode number of a character."},
		{Name: "print", Signature: "print(*args)", Doc: "Writes to standard error, for looking into a recipe."},
		{Name: "range", Signature: "range(start, stop, step=1)", Doc: "Whole numbers from start up to, not with, stop."},
		{Name: "repr", Signature: "repr(x)", Doc: "A value as a recipe would write it."},
		{Name: "reversed", Signature: "reversed(x)", Doc: "A list of the elements, last first."},
		{Name: "set", Signature: "set(x)", Doc: "The different elements."},
		{Name: "sorted", Signature: "sorted(x, key=None, reverse=False)", Doc: "A list of the elements in order."},
		{Name: "str", Signature: "str(x)", Doc: "A value as text."},
		{Name: "tuple", Signature: "tuple(x)", Doc: "The elements as an unchangeable list."},
		{Name: "type", Signature: "type(x)", Doc: "The name of the type of a value, such as \"DieRoll\"."},
		{Name: "zip", Signature: "zip(*lists)", Doc: "Tuples of the first elements, the second ones, and so on."},
	}
}
