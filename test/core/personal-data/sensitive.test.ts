import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json/json.ts';
import { mapAtPaths, sensitivePathViolation } from '../../../src/core/personal-data/sensitive.ts';

const hidden = (value: unknown, ...paths: string[]) => mapAtPaths(value as Json, paths, () => '#');

describe('mapAtPaths', () => {
  it('changes the value at a path and leaves the rest unchanged', () => {
    const value = { name: 'Fred', contact: { email: 'f@x', city: 'B' } };
    expect(hidden(value, 'name', 'contact.email')).toEqual({
      name: '#',
      contact: { email: '#', city: 'B' },
    });
    expect(value.name).toBe('Fred');
  });

  it('treats a star as every name and every array index', () => {
    const people = { a: { name: 1, seat: 2 }, b: [{ name: 3 }, { name: 4, seat: 5 }] };
    expect(hidden(people, '*.name', 'b.*.name')).toEqual({
      a: { name: '#', seat: 2 },
      b: [{ name: '#' }, { name: '#', seat: 5 }],
    });
    expect(hidden(people, 'b.1')).toEqual({ ...people, b: [{ name: 3 }, '#'] });
  });

  it('adds nothing at a path that does not exist', () => {
    for (const value of [{}, null, 'text', 5, [], { other: 1 }])
      expect(hidden(value, 'name', 'a.b', 'a.*')).toEqual(value);
  });
});

describe('sensitivePathViolation', () => {
  it.each(['', '.', 'a.', '.a', 'a..b'])('rejects %j', (path) => {
    expect(sensitivePathViolation({ state: [path] })).toMatch(/not a valid path/);
    expect(sensitivePathViolation({ events: { e: ['fine', path] } })).toMatch(/not a valid path/);
  });

  it('accepts paths of names and stars', () => {
    expect(
      sensitivePathViolation({ state: ['a', '*', 'a.*.c-d e'], events: { e: ['x'] } }),
    ).toBeUndefined();
  });
});
