import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json/json.ts';

/** Names with a special meaning in JavaScript, such as `__proto__`. */
export const jsNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__defineGetter__',
];

/** Text that code often handles incorrectly. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...jsNames) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['', ' ', '0', '-1', 'null', 'undefined', 'NaN', 'a/b', '..', '#', '%', '%2F', '?', '+'],
      ...['\u0000', '\n', '\u001f', '\u007f', '\u0085', '\u2028', '\u202e', '\ufeff', '\ufffd'],
      ...[
        'é',
        'e\u0301',
        '😀',
        '👨‍👩‍👧',
        '\ud800',
        'x\udc00',
        '\udc00\ud800',
        '\uffff',
        '\u{10ffff}',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('x', 'é', '😀', '\u0000', '"', '\ud800'),
        fc.integer({ min: 254, max: 258 }),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

const oddNumber = fc.constantFrom(
  ...[0, -0, -1, 0.1 + 0.2, 1e-7, 5e-324, 2 ** 31, 2 ** 53 - 1, 2 ** 53 + 2, 1e21, 1e308],
);

const nested = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;

/** JSON that code often handles incorrectly. Keys such as `__proto__` are own properties of its objects. */
export const oddJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    oddText,
    oddNumber,
    fc.constantFrom<Json>(null, true, false),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(oddText, tie('json')), { maxLength: 3 }).map(objectOf),
    fc.integer({ min: 95, max: 102 }).map(nested),
  ),
})).json;

/** Returns an arbitrary that encodes generated strings as UTF-8 bytes. */
export function asBytes(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  return text.map((written) => Buffer.from(written));
}

/** Creates an object with the given members as own properties, even with names such as `__proto__`. */
export function objectOf(members: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(members);
}

/** Numbers that few programs can represent exactly, and text that resembles a number but is not JSON. */
export const oddNumberText = fc.oneof(
  fc.constantFrom(
    ...['-0', '0e0', '1E400', '-1e-400', '9007199254740993', '0.1000000000000000055', '1e+21'],
    ...['01', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '1e', '--1', '1_000', '1e99999999999'],
  ),
  fc
    .tuple(fc.constantFrom('', '-', '0.', '1e'), fc.integer({ min: 1, max: 400 }))
    .map(([start, digits]) => start + '9'.repeat(digits)),
);
