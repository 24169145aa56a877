import fc from 'fast-check';
import { maximumEventBytes } from '../../../src/core/event/event.ts';

/** A compact description of 256 KB of JSON that is slow to decode. */
export interface HostileJson {
  /** The attribute of the event that contains the JSON. */
  readonly at: string;
  /** The names of the enclosing members in the attribute. */
  readonly within: readonly string[];
  readonly kind: 'array' | 'object' | 'string' | 'number' | 'space' | 'nested';
  /** The repeated units. A counter replaces `#`. */
  readonly units: readonly string[];
  /** The naming of the members if the units form an object. */
  readonly key: string;
  /** The first value, which changes how all other values are parsed. */
  readonly start: string;
  /** The nesting depth of each unit. */
  readonly depth: number;
  /** Text near the end that makes the JSON invalid. */
  readonly damage: string;
}

const zeros = (count: number) => '0'.repeat(count);
const values = [
  ...['0', '-0', '1e1', '0E0', '5e-324', '1e308', '1e400', '0.1', '1234567890123456'],
  ...[
    '2.2250738585072011e-308',
    '1.7976931348623157e308',
    '0.1000000000000000055',
    '12345678901234567890',
  ],
  ...[
    `1.${zeros(20)}1`,
    `1.${zeros(2000)}1`,
    `0.${zeros(300)}1e301`,
    `1e${zeros(400)}1`,
    '9'.repeat(800),
  ],
  ...[
    '""',
    '"#"',
    '"_"',
    '"\\u005f"',
    '"__proto__"',
    '"\\u005f_proto__"',
    '"\\""',
    '"\\\\"',
    '"\\ud800"',
  ],
  ...['"😀"', '",1"', '",123456789012345"', 'true', 'null', '[]', '{}', '[[]]', '[{}]', '{"a":0}'],
  ...[
    '{"k#":0}',
    '{"#":0}',
    '{"k#":{}}',
    '{"a":{"k#":[]}}',
    '{"__proto__":0}',
    '{"__proto__":1e400}',
    '{"\\u005f#":1e1}',
  ],
];
const keys = [
  'a',
  '',
  '#',
  'k#',
  '\\u005f#',
  '\\u0061',
  '_#',
  '__proto__',
  '\\\\',
  '\\"#',
  '429496#',
  '-#',
  '0.#',
  '😀#',
];
const characters = [
  'x',
  '0',
  '1',
  '\\\\',
  '\\"',
  '\\n',
  '\\u0000',
  '\\u005f',
  '\\ud800',
  '\\ud83d\\ude00',
  '😀',
  'é',
  '/',
  ',1',
  '1.',
  ' ',
  '_',
  '__proto__',
  '-',
  '2026-01-01T00:00:00Z',
  '00-',
];
const digits = ['0', '9', '1', '01', '10', `${zeros(500)}1`, '5'];
const names = [
  'items',
  'data',
  'set',
  'service',
  'token',
  'who',
  'k',
  '__proto__',
  'k'.repeat(50_000),
];

/** Any JSON that can be slow to decode. */
export const hostileJson: fc.Arbitrary<HostileJson> = fc
  .constantFrom('array', 'array', 'object', 'object', 'string', 'number', 'space', 'nested')
  .chain((kind) =>
    fc.record({
      at: fc.oneof(
        { weight: 6, arbitrary: fc.constant('data') },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            ...['id', 'type', 'modelid', 'transactionid', 'source', 'time', 'replyto'],
            ...['traceparent', 'specversion', 'data_base64', 'other'],
          ),
        },
      ),
      within: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(fc.constantFrom(...names), { maxLength: 3 }) },
      ),
      kind: fc.constant(kind),
      units: fc.array(fc.constantFrom(...unitsOf(kind)), { minLength: 1, maxLength: 3 }),
      key: fc.constantFrom(...keys),
      start: fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        { weight: 2, arbitrary: fc.constantFrom('1e1', '1e400', '1234567890123456', '"\\u005f"') },
      ),
      depth: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(1, 10, 90, 98, 5000) },
      ),
      damage: fc.oneof(
        { weight: 5, arbitrary: fc.constant('') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('x', ',', ']', '"', '\\', '\ud800', '-', '\u0000'),
        },
      ),
    }),
  );

function unitsOf(kind: string): readonly string[] {
  if (kind === 'string') return characters;
  return kind === 'number' ? digits : values;
}

/** Returns the bytes of the record, which has almost the maximum size of an event. */
export function bytesOf(hostile: HostileJson): Buffer {
  const attributes = Object.entries({ id: '1', type: 't', modelid: 'm', transactionid: 't' })
    .filter(([name]) => name !== hostile.at)
    .map(([name, value]) => `"${name}":"${value}",`);
  const open = hostile.within.map((name) => `{"${name}":`).join('');
  const head = `{${attributes.join('')}"${hostile.at}":${open}`;
  const tail = `${'}'.repeat(hostile.within.length)}}`;
  const room = maximumEventBytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const json = `${head}${filled(hostile, room)}${tail}`;
  if (hostile.damage === '') return Buffer.from(json);
  const at = json.length - Math.min(40, tail.length + 2);
  return Buffer.from(json.slice(0, at) + hostile.damage + json.slice(at + 1));
}

function filled({ kind, units, key, start, depth }: HostileJson, room: number): string {
  switch (kind) {
    case 'string':
      return `"${repeated(units, '', room - 2)}"`;
    case 'number':
      return `1.${repeated(units, '', room - 5)}${start === '' ? '1' : 'e12'}`;
    case 'space':
      return `${' \n'.repeat(room / 2 - 4)}${start || '0'}`.slice(0, room);
    case 'nested': {
      const [open, close] = units[0]!.startsWith('{') ? ['{"a":', '}'] : ['[', ']'];
      const times = Math.floor((room - 4) / (open.length + close.length));
      return `${open.repeat(times)}${start || '1'}${close.repeat(times)}`.slice(0, room);
    }
    case 'array': {
      const first = start === '' ? '' : `${start},`;
      return `[${first}${repeated(
        units.map((unit) => nested(unit, depth)),
        ',',
        room - first.length - 2,
      )}]`;
    }
    case 'object': {
      const first = start === '' ? '' : `"first":${start},`;
      const members = units.map((unit) => `"${key}":${nested(unit, depth)}`);
      return `{${first}${repeated(members, ',', room - first.length - 2)}}`;
    }
  }
}

const nested = (unit: string, depth: number) => `${'['.repeat(depth)}${unit}${']'.repeat(depth)}`;

/** Repeats the units as many times as they fit into the given number of bytes. */
function repeated(units: readonly string[], separator: string, room: number): string {
  const parts: string[] = [];
  let bytes = 0;
  for (let count = 0; ; count++) {
    const part = units[count % units.length]!.replaceAll('#', () => String(count * 4099));
    bytes += Buffer.byteLength(part) + separator.length;
    if (bytes > room) return parts.join(separator);
    parts.push(part);
  }
}
