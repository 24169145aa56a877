import fc from 'fast-check';
import { isExact } from './exact-decimal.ts';

/** A JSON text with its value, and the codes of the flaws that make Milepost reject it. */
export interface JsonText {
  readonly text: string;
  /** The value of the text. If the text has flaws, only the structure of the value is correct. */
  readonly value: unknown;
  readonly flaws: readonly string[];
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');

/** Numbers in JSON notation, many of them near the limits of a double. */
export const anyDecimal = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,24})?([eE][+-]?\d{1,3})?$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.nat(40), fc.nat(3))
    .map(([number, zeros, more]) => longer(JSON.stringify(number), zeros, more)),
  fc
    .tuple(fc.nat(99), fc.integer({ min: 0, max: 330 }))
    .map(([digits, zeros]) => `0.${'0'.repeat(zeros)}${digits}e${zeros}`),
);

/** Returns a decimal with additional zeros, and with an additional last digit if `more` is not 0. */
function longer(number: string, zeros: number, more: number): string {
  const [mantissa = '', exponent] = number.split('e');
  const point = mantissa.includes('.') ? '' : '.';
  const digits = `${mantissa}${point}0${'0'.repeat(zeros)}${more || ''}`;
  return exponent === undefined ? digits : `${digits}e${exponent}`;
}

const number: fc.Arbitrary<JsonText> = anyDecimal.map((text) => ({
  text,
  value: Number(text),
  flaws: isExact(text) ? [] : ['inexact-number'],
}));

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    ...[
      '',
      '"',
      '\\',
      '\\"',
      '\\\\',
      '__proto__',
      '__PROTO__',
      '__proto_',
      '[',
      '}',
      ',1',
      '1e400',
    ],
    ...['constructor', '12345678901234567890', '\ud800', '😀', '7', '-1', '4294967295'],
  ),
);

/** A JSON string, some of whose characters are escaped. */
const string = fc
  .tuple(word, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }))
  .map(([text, escapes]) => ({ value: text, text: escaped(text, escapes) }));

function escaped(text: string, escapes: readonly boolean[]): string {
  const units = text.split('').map((unit, index) => {
    const plain = JSON.stringify(unit).slice(1, -1);
    return escapes[index % escapes.length] && plain.length === 1
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      : plain;
  });
  return `"${units.join('')}"`;
}

/** Any valid JSON without duplicate names in an object. */
export const anyJsonText: fc.Arbitrary<JsonText> = fc.letrec<{ json: JsonText }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    number,
    string.map(({ text, value }) => ({ text, value, flaws: [] })),
    fc
      .constantFrom(true, false, null, {}, [])
      .map((value) => ({ text: JSON.stringify(value), value, flaws: [] })),
    fc.tuple(fc.array(tie('json'), { minLength: 1, maxLength: 4 }), space).map(([parts, gap]) => ({
      ...inBrackets('[', parts, ']', gap),
      value: parts.map(({ value }) => value),
    })),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(string, tie('json')), {
          minLength: 1,
          maxLength: 4,
          selector: ([key]) => key.value,
        }),
        space,
      )
      .map(([members, gap]) => ({
        ...inBrackets(
          '{',
          members.map(([key, { text, flaws }]) => ({
            text: `${key.text}${gap}:${gap}${text}`,
            flaws: key.value === '__proto__' ? ['forbidden-key', ...flaws] : flaws,
          })),
          '}',
          gap,
        ),
        value: Object.fromEntries(members.map(([key, { value }]) => [key.value, value])),
      })),
  ),
})).json;

function inBrackets(
  open: string,
  parts: readonly Omit<JsonText, 'value'>[],
  close: string,
  gap: string,
): Omit<JsonText, 'value'> {
  const inner = parts.map(({ text }) => `${gap}${text}${gap}`).join(',');
  return { text: `${open}${inner}${close}`, flaws: parts.flatMap(({ flaws }) => flaws) };
}
