"""The functions of Arrow that work on whole arrays, called by their names.

`pyarrow.compute` is not imported, nor a method that imports it: it makes a documented wrapper of
every function that there is, which takes longer than a small sheet takes altogether.
"""

from typing import Any

import pyarrow as pa

try:
    from pyarrow import _compute
except ImportError:
    # The same functions and options, with all the wrappers.
    from pyarrow import compute as _compute


def take(array: pa.Array, indices: pa.Array) -> Any:
    """Give the values at some indices; null at null."""
    return _compute.call_function("take", [array, indices], _compute.TakeOptions(boundscheck=True))


def cast(array: pa.Array, to: pa.DataType) -> Any:
    """Convert an array. Raises ArrowInvalid where a value has no equal in the other type."""
    return _compute.call_function("cast", [array], _compute.CastOptions.safe(to))


def dictionary_encode(array: pa.Array) -> Any:
    """Give each distinct value once, in order of appearance, and a code for each row."""
    return _compute.call_function("dictionary_encode", [array])


def unique(array: pa.Array) -> Any:
    """Give each distinct value, in order of appearance."""
    return _compute.call_function("unique", [array])


def drop_null(array: pa.Array) -> Any:
    """Give the values that are not null."""
    return _compute.call_function("drop_null", [array])


def equal(one: pa.Array, other: pa.Array | pa.Scalar) -> Any:
    """Compare row by row; null where one side is null."""
    return _compute.call_function("equal", [one, other])


def not_equal(one: pa.Array, other: pa.Array | pa.Scalar) -> Any:
    """Compare row by row; null where one side is null."""
    return _compute.call_function("not_equal", [one, other])


def less(one: pa.Array, other: pa.Array) -> Any:
    """Compare row by row; null where one side is null."""
    return _compute.call_function("less", [one, other])


def if_else(where: pa.BooleanArray, one: Any, other: Any) -> Any:
    """Give one value where the condition holds, and the other where it does not."""
    return _compute.call_function("if_else", [where, one, other])


def coalesce(*arrays: pa.Array | pa.Scalar) -> Any:
    """Give the first value of each row that is not null."""
    return _compute.call_function("coalesce", list(arrays))


def replace_with_mask(array: pa.Array, where: pa.BooleanArray, values: pa.Array) -> Any:
    """Replace the rows where the condition holds by the next of the values."""
    return _compute.call_function("replace_with_mask", [array, where, values])


def index_in(array: pa.Array, among: pa.Array) -> Any:
    """Give the index of each value in another array; null where it is not there."""
    return _compute.call_function("index_in", [array], _compute.SetLookupOptions(among))


def join(texts: list[pa.StringArray | pa.Scalar], separator: pa.Scalar, null: str | None) -> Any:
    """Join texts row by row; a row with a null is null, unless `null` stands in for it."""
    options = (
        _compute.JoinOptions()
        if null is None
        else _compute.JoinOptions(null_handling="replace", null_replacement=null)
    )
    return _compute.call_function("binary_join_element_wise", [*texts, separator], options)


def match_substring(texts: pa.StringArray, pattern: str) -> Any:
    """Tell which texts hold another one."""
    return _compute.call_function(
        "match_substring", [texts], _compute.MatchSubstringOptions(pattern)
    )


def match_substring_regex(texts: pa.StringArray, pattern: str) -> Any:
    """Tell in which texts a regular expression (RE2) is found."""
    return _compute.call_function(
        "match_substring_regex", [texts], _compute.MatchSubstringOptions(pattern)
    )


def starts_with(texts: pa.StringArray, pattern: str) -> Any:
    """Tell which texts begin with another one."""
    return _compute.call_function("starts_with", [texts], _compute.MatchSubstringOptions(pattern))


def replace_substring(texts: pa.StringArray, pattern: str, replacement: str) -> Any:
    """Replace one text by another wherever it stands."""
    options = _compute.ReplaceSubstringOptions(pattern, replacement)
    return _compute.call_function("replace_substring", [texts], options)


def utf8_slice_codeunits(texts: pa.StringArray, start: int) -> Any:
    """Give each text from its character `start` on."""
    return _compute.call_function("utf8_slice_codeunits", [texts], _compute.SliceOptions(start))
