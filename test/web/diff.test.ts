import { describe, expect, it } from 'vitest';
import { diff, placeName } from '../../web/pure/diff.ts';
import { jsonLines } from '../../web/pure/json-lines.ts';

describe('diff', () => {
  it('lists added, removed, and changed values at the innermost path', () => {
    const before = { a: 1, b: { c: [1, 2], d: 'x' }, gone: null };
    const after = { a: 1, b: { c: [1, 3, 4], d: 'x' }, fresh: { e: true } };
    expect(diff(before, after)).toEqual([
      { path: ['b', 'c', 1], kind: 'changed', before: 2, after: 3 },
      { path: ['b', 'c', 2], kind: 'added', after: 4 },
      { path: ['fresh'], kind: 'added', after: { e: true } },
      { path: ['gone'], kind: 'removed', before: null },
    ]);
  });

  it('returns an empty list for equal states', () => {
    expect(diff({ a: [{ b: null }] }, { a: [{ b: null }] })).toEqual([]);
  });

  it('reports the whole value if its type changes', () => {
    expect(diff({ a: [1] }, { a: { 0: 1 } })).toEqual([
      { path: ['a'], kind: 'changed', before: [1], after: { 0: 1 } },
    ]);
    expect(diff(null, {})).toEqual([{ path: [], kind: 'changed', before: null, after: {} }]);
  });

  it('reports names from Object.prototype like other names', () => {
    expect(diff({}, { constructor: 1, toString: 2 })).toMatchObject([
      { path: ['constructor'], kind: 'added' },
      { path: ['toString'], kind: 'added' },
    ]);
  });
});

describe('placeName', () => {
  it('formats a path like a JavaScript expression, and the empty path as `state`', () => {
    expect(placeName(['app', 'NBC', 'items', 3, 'a b', 'é'])).toBe('app.NBC.items[3]["a b"].é');
    expect(placeName([])).toBe('state');
    expect(placeName([0, ''])).toBe('[0][""]');
    expect(placeName(['\u202ea'])).toBe('["\\u202ea"]');
  });
});

describe('jsonLines', () => {
  const value = { a: [], b: [1, { c: 'x' }], d: {}, e: null };

  it('prints the same text as JSON.stringify', () => {
    const text = jsonLines(value, new Set()).map((line) => line.text);
    expect(text.join('\n')).toBe(JSON.stringify(value, null, 2));
  });

  it('escapes characters that are invisible or change the text direction', () => {
    const text = jsonLines({ '\u202ea': 'b\u200b' }, new Set()).map((line) => line.text);
    expect(text[1]).toBe('  "\\u202ea": "b\\u200b"');
  });

  it('marks the lines of a path, including its members', () => {
    const marked = jsonLines(value, new Set(['["b",1]', '["e"]'])).filter((line) => line.marked);
    expect(marked.map((line) => line.text.trim())).toEqual(['{', '"c": "x"', '}', '"e": null']);
  });
});
