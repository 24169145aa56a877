import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathIn, pointerOf, valueAt } from '../../../src/core/json/json-pointer.ts';

describe('a JSON Pointer', () => {
  // The examples in section 5 of RFC 6901.
  const example = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };
  it.each([
    ['', example],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/foo/2', undefined],
    ['/foo/-', undefined],
    ['/foo/00', undefined],
    ['/foo/length', undefined],
    ['/toString', undefined],
    ['/foo/0/0', undefined],
  ])('%j resolves to %j in the example of RFC 6901', (pointer, value) => {
    expect(valueAt(example, pathIn(pointer)!)).toEqual(value);
  });

  it.each(['foo', '~', '/~', '/a~2', '/foo~'])('cannot be %j', (text) => {
    expect(pathIn(text)).toBeUndefined();
  });

  it('is parsed to the path that it was formatted from', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('/', '~', '0', '1', 'é', '') })),
        (path) => {
          expect(pathIn(pointerOf(path))).toEqual(path);
        },
      ),
    );
  });
});
