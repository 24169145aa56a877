import fc from 'fast-check';
import { anyBytes } from './any-bytes.ts';
import { anyEventText, goodEvent } from './any-event.ts';
import { asBytes, oddText } from './any-text.ts';
import type { Call } from './http-call.ts';

/** The existing resources that a generated call can refer to. */
export interface Known {
  /** The cursors that the API returned. */
  readonly cursors: readonly string[];
  readonly letters: readonly string[];
  /** The ids of links to an instance's status page. */
  readonly links: readonly string[];
  readonly transactions: readonly string[];
}

/** Ways to put text into a URL, encoded correctly, repeatedly, or wrongly. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
  (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  (text) => Buffer.from(text, 'latin1').toString('hex').replace(/../g, '%$&'),
  (text) => text.replace(/[^!-~]/g, '+'),
];
const badlyEncoded = [
  '%',
  '%2',
  '%zz',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%u0041',
  '%00',
  '%25%',
  '%2e%2e',
];

function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: text.map(encodings[0]!) },
    { weight: 6, arbitrary: fc.tuple(text, fc.constantFrom(...encodings)).map(([t, as]) => as(t)) },
    { weight: 1, arbitrary: fc.constantFrom(...badlyEncoded) },
  );
}

const limit = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', '5', '100') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['0', '101', '-1', '+1', '1.0', '1e1', '', ' 1', '٣', '007', '0x10', 'NaN', '1,2', 'null'],
      '9'.repeat(400),
    ),
  },
);

function anyCursor(real: readonly string[]): fc.Arbitrary<string> {
  const one = fc.constantFrom(...real);
  const place = fc.constantFrom(
    ...[
      '',
      '',
      '1.0',
      '2.1',
      '0.0',
      '1.',
      '9999999999.999999',
      '99999999999.0',
      '-1.0',
      '1e3.0',
      'NaN',
    ],
    ...[
      '~',
      'STATUS',
      '\u0000',
      '😀',
      '2026-01-01T00:00:00.000Z#',
      'x'.repeat(150),
      'é'.repeat(300),
    ],
  );
  return fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 4, arbitrary: place.map((text) => Buffer.from(text).toString('base64url')) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(one, fc.nat(60), fc.nat(2), oddText)
        .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
    },
    { weight: 1, arbitrary: fc.tuple(one, one).map((both) => both.join('')) },
    { weight: 1, arbitrary: oddText },
  );
}

/** Any call of the API: valid, almost valid, or invalid. */
export function anyCall({ cursors, letters, links, transactions }: Known): fc.Arbitrary<Call> {
  const some = (known: readonly string[], odd: fc.Arbitrary<string> = oddText) =>
    encoded(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: odd }),
    );
  const model = some([
    ...Array.from({ length: 9 }, () => 'counter'),
    'nobody',
    'x'.repeat(64),
    'x'.repeat(65),
  ]);
  const letter = some(letters);
  const transaction = some(transactions);
  const instance = fc.tuple(model, transaction).map((parts) => `/api/instances/${parts.join('/')}`);
  const segment = some([
    '',
    '.',
    'api',
    'instances',
    'counter',
    'T1',
    'history',
    'redrive',
    'rebuild',
    'links',
    'events',
  ]);
  const anywhere = fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`);
  const lists = fc.constantFrom(
    '/api/instances',
    '/api/dead-letters',
    '/api/models',
    '/api/health',
    '/api/me',
  );

  const parameter = fc.oneof(
    ...[
      { weight: 5, name: 'limit', value: limit },
      { weight: 4, name: 'cursor', value: anyCursor(cursors) },
      { weight: 2, name: 'q', value: fc.oneof(fc.constantFrom('', 'T', 'a/'), oddText) },
      { weight: 2, name: 'model', value: fc.constantFrom('', 'counter', 'nobody', 'A#') },
      { weight: 2, name: 'status', value: fc.oneof(fc.constantFrom('', 'Low', 'High'), oddText) },
      { weight: 2, name: 'version', value: fc.oneof(fc.constantFrom('', '1', '2', '9'), oddText) },
      { weight: 1, name: 'at', value: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z'), oddText) },
      { weight: 1, name: 'dry', value: fc.oneof(fc.constantFrom('', 'true', '1'), oddText) },
      {
        weight: 1,
        name: 'since',
        value: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z'), oddText),
      },
      { weight: 1, name: 'field', value: fc.oneof(fc.constantFrom('/log', '/x', '/~'), oddText) },
      { weight: 1, name: 'reason', value: fc.oneof(fc.constantFrom('', 'not JSON'), oddText) },
    ].map(({ weight, name, value }) => ({
      weight,
      arbitrary: encoded(value).map((text) => `${name}=${text}`),
    })),
    {
      weight: 1,
      arbitrary: fc.tuple(encoded(oddText), encoded(oddText)).map((pair) => pair.join('=')),
    },
  );
  const query = fc
    .array(parameter, { maxLength: 3 })
    .map((parameters) => (parameters.length > 0 ? `?${parameters.join('&')}` : ''));

  const call = (
    method: fc.Arbitrary<string>,
    path: fc.Arbitrary<string>,
    body: fc.Arbitrary<Uint8Array>,
  ): fc.Arbitrary<Call> =>
    fc.record({
      method,
      target: fc.tuple(path, query).map((parts) => parts.join('')),
      contentType: fc.constantFrom(
        'application/json',
        undefined,
        'text/plain',
        'image/png',
        'a/b+json',
      ),
      body,
      ingress: fc.constantFrom('functionUrl', 'httpApi'),
    });
  const history = instance.map(below('history'));
  const explain = instance.map(below('explain'));
  const allLinks = instance.map(below('links'));
  const oneLink = fc.tuple(allLinks, some(links)).map((parts) => parts.join('/'));
  const reads = fc.oneof(
    lists,
    lists,
    instance,
    history,
    history,
    explain,
    letterPath(letter),
    allLinks,
  );
  const writes = fc.oneof(
    instance.map(below('redrive')),
    instance.map(below('rebuild')),
    model.map((id) => `/api/models/${id}/rebuild`),
    letterPath(letter).map(below('redrive')),
    fc.constant('/api/dead-letters/redrive'),
    model.map((id) => `/api/models/${id}/rollback`),
  );
  const paths = fc.oneof(
    reads,
    writes,
    model.map((id) => `/api/models/${id}`),
    model.map((id) => `/api/models/${id}/versions`),
    anywhere,
  );
  return fc.oneof(
    { weight: 8, arbitrary: call(fc.constant('GET'), reads, nothing) },
    { weight: 2, arbitrary: call(fc.constant('GET'), paths, nothing) },
    { weight: 2, arbitrary: call(fc.constant('POST'), writes, fc.oneof(nothing, anyBody)) },
    { weight: 1, arbitrary: call(fc.constant('DELETE'), letterPath(letter), nothing) },
    { weight: 1, arbitrary: call(fc.constant('DELETE'), fc.oneof(allLinks, oneLink), nothing) },
    { weight: 8, arbitrary: call(fc.constant('POST'), fc.constant('/api/events'), anyBody) },
    { weight: 3, arbitrary: call(anyMethod, paths, fc.oneof(nothing, anyBody)) },
  );
}

const nothing = fc.constant(new Uint8Array());
const letterPath = (letter: fc.Arbitrary<string>) => letter.map((id) => `/api/dead-letters/${id}`);
const below = (name: string) => (path: string) => `${path}/${name}`;

// Omit TRACE and CONNECT, because AWS does not forward them.
const anyMethod = fc.constantFrom(
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'PURGE'],
);

const arrayOf = (texts: readonly string[]) => `[${texts.join()}]`;
const goodText = goodEvent.map((event) => JSON.stringify(event));
const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 60, arbitrary: asBytes(anyEventText) },
  { weight: 60, arbitrary: asBytes(fc.array(anyEventText, { maxLength: 5 }).map(arrayOf)) },
  { weight: 60, arbitrary: asBytes(fc.array(goodText, { maxLength: 9 }).map(arrayOf)) },
  { weight: 60, arbitrary: anyBytes },
  {
    weight: 1,
    arbitrary: fc
      .tuple(goodText, fc.constantFrom(499, 500, 501))
      .map(([text, times]) => Buffer.from(arrayOf(Array.from({ length: times }, () => text)))),
  },
);
