import fc from 'fast-check';
import { aggregate } from '../support/data/aggregate.ts';
import { shown } from './accounts.ts';
import { anyEventText, goodEvent } from './any-event.ts';
import { asBytes, oddJson, oddNumberText, oddText } from './any-text.ts';

const goodText = goodEvent.map((event) => JSON.stringify(event));
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const depth = fc.oneof(fc.integer({ min: 95, max: 105 }), fc.constantFrom(1000, 50_000, 120_000));

/** A valid event with a change at one position of its JSON, which usually makes the JSON invalid. */
const nearJson = fc
  .tuple(
    goodText,
    place,
    fc.nat(3),
    fc.oneof(oddText, fc.constantFrom(...Array.from('{}[]",:\\0-eE.tn/*'))),
  )
  .map(([text, where, cut, put]) => {
    const at = Math.floor(where * text.length);
    return text.slice(0, at) + put + text.slice(at + cut);
  });

/** A valid event with additional bytes before, after, or around it, at positions where JSON allows some bytes. */
const around = fc
  .tuple(
    goodText,
    fc.constantFrom('\ufeff', ' ', '\n', '\u0000', '\u00a0', '//', '[', '"'),
    goodText,
  )
  .chain(([text, odd, other]) =>
    fc.constantFrom(odd + text, text + odd, text + other, `${text}\n${other}`, `[${text}]`),
  );

const duplicateKeys = fc
  .tuple(goodText, fc.constantFrom('id', 'modelid', 'data', 'transactionid', '__proto__'), oddJson)
  .map(([text, key, value]) => `${text.slice(0, -1)},"${key}":${JSON.stringify(value)}}`);

const deep = fc
  .tuple(depth, fc.constantFrom('[', '{"a":', '[[],'), fc.boolean(), goodText)
  .map(([times, open, closed, text]) => {
    const close = open === '{"a":' ? '}' : ']';
    const value = `${open.repeat(times)}1${closed ? close.repeat(times) : ''}`;
    return text.replace('"data":{', `"data":{"deep":${value},`);
  });

const number = fc
  .tuple(goodText, oddNumberText)
  .map(([text, digits]) => text.replace('"data":{', `"data":{"n":${digits},`));

const tooLarge = fc
  .tuple(goodText, fc.constantFrom(262_000, 262_144, 300_000))
  .map(([text, size]) => text.replace('"data":{', `"data":{"pad":"${'x'.repeat(size)}",`));

const truncated = fc
  .tuple(goodText, place)
  .map(([text, where]) => Buffer.from(text).subarray(0, Math.floor(where * text.length)));

const flipped = fc
  .tuple(goodText, place, fc.integer({ min: 1, max: 255 }))
  .map(([text, where, mask]) => {
    const bytes = Buffer.from(text);
    const at = Math.floor(where * bytes.length);
    bytes[at] = bytes[at]! ^ mask;
    return bytes;
  });

const notUtf8 = fc
  .tuple(goodText, fc.constantFrom('eda080', 'c080', 'ff', 'f4908080', 'f09f98', 'fffe', 'efbbbf'))
  .map(([text, hex]) =>
    Buffer.concat([
      Buffer.from(text.slice(0, 8)),
      Buffer.from(hex, 'hex'),
      Buffer.from(text.slice(8)),
    ]),
  );

const utf16 = goodText.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le'));

const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 80 }) },
  { weight: 10, arbitrary: asBytes(fc.string({ unit: 'binary', maxLength: 40 })) },
  { weight: 10, arbitrary: asBytes(oddText) },
  { weight: 10, arbitrary: asBytes(oddJson.map((value) => JSON.stringify(value))) },
  { weight: 30, arbitrary: asBytes(nearJson) },
  { weight: 10, arbitrary: asBytes(around) },
  { weight: 10, arbitrary: asBytes(duplicateKeys) },
  { weight: 5, arbitrary: asBytes(number) },
  { weight: 20, arbitrary: asBytes(anyEventText) },
  { weight: 2, arbitrary: asBytes(deep) },
  { weight: 1, arbitrary: asBytes(tooLarge) },
  { weight: 15, arbitrary: truncated },
  { weight: 15, arbitrary: flipped },
  { weight: 10, arbitrary: notUtf8 },
  { weight: 2, arbitrary: utf16 },
);

/** Anything that a stream record can contain, from noise to almost valid events. */
export const anyBytes: fc.Arbitrary<Uint8Array> = bytes.map((made) =>
  // Show the bytes as readable text in the report of a failing case.
  Object.assign(Uint8Array.from(made), { [fc.toStringMethod]: () => shown(made) }),
);

/**
 * Any bytes. Some are aggregated like the records of the Kinesis Producer Library, and some aggregated records are
 * damaged.
 */
export const anyRecord: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 9, arbitrary: anyBytes },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(anyBytes, { maxLength: 6 }), fc.option(fc.tuple(place, fc.nat(255))))
      .map(([parts, damage]) => {
        const whole = aggregate(parts.map((data, at) => ({ partitionKey: `key ${at % 3}`, data })));
        if (damage) whole[Math.floor(damage[0] * whole.length)]! ^= damage[1];
        return whole;
      }),
  },
);
