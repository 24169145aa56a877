import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithFlaws, readExact } from '../../../src/core/json/exact-json.ts';
import { parseJson } from '../../../src/core/json/parse-json.ts';

/** Keys that JSON writes with escapes, and keys that start with the same text as an escape. */
const escapedKey = fc.string({
  unit: fc.constantFrom('\\', '"', '\n', '\t', '\u0000', 'n', 't', 'u', '0', 'a', '/'),
  maxLength: 4,
});
const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom(0, 'a\\b', null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(escapedKey, tie('value'), { maxKeys: 3 }),
})).object;

describe('parseJson', () => {
  it('keeps each key, regardless of keys that were parsed earlier', () => {
    fc.assert(
      fc.property(nested, (value) => {
        expect(JSON.stringify(parseJson(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    [
      { a: 0, '\\\\': 0 },
      { a: 0, '\\"': 0 },
    ],
    [
      { b: 0, '\\na': 0 },
      { b: 0, '\nab': 0 },
    ],
    [
      { c: [], '\\': 0 },
      { c: 1, '"': 2 },
    ],
  ])('does not confuse the keys of %j with those of %j', (earlier, later) => {
    for (const read of [parseJson, valueOf, parseWithFlaws]) {
      read(JSON.stringify(earlier));
      expect(read(JSON.stringify(later))).toEqual(later);
    }
  });

  it('throws for text that is not JSON', () => {
    expect(() => parseJson('{"a\\n":}')).toThrow(SyntaxError);
  });

  it('is used instead of JSON.parse in the pipeline, its stores, and the API, except in six files', () => {
    const parsers = globSync([
      'src/{core,dispatcher,model-runtime,parking,stream,stores,clock,publisher,counter,archiver,api}/**/*.ts',
      'src/aws/{instances,lists,counters,dead-letters,archive,functions,keys,notifications,timers}/**/*.ts',
    ]).filter((file) =>
      /^(?! *(\/\/|\*|\/\*)).*(?<!`)JSON\.parse\(/m.test(readFileSync(file, 'utf8')),
    );
    expect(parsers.map((file) => file.split('\\').join('/')).toSorted()).toEqual([
      'src/core/event/event.ts',
      'src/core/json/exact-json.ts',
      'src/core/json/json-reader.ts',
      'src/core/json/parse-json.ts',
      'src/core/json/scan-json.ts',
      'src/core/model/source-maps.ts',
    ]);
  });
});

function valueOf(text: string) {
  const read = readExact(text);
  return read.ok ? read.value : read.code;
}
