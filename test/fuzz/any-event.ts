import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json/json.ts';
import { jsNames, objectOf, oddJson, oddNumberText, oddText } from './any-text.ts';

const service = fc.oneof(fc.constantFrom('A', 'B', 'C'), fc.constantFrom(...jsNames));
const data = {
  'account.created': fc.constant({}),
  'activation.requested': fc.record({ service, token: fc.constantFrom('', 'right') }),
  'entitlement.requested': fc.record({ service, token: fc.constantFrom('right', 'wrong') }),
  'milestone.reached': fc.record({
    milestone: fc.constantFrom('received', 'verified', 'scheduled', 'fulfilled', 'closed'),
  }),
  'request.cancelled': fc.record({ reason: fc.constantFrom('changed my mind', '😀') }),
};
type EventType = keyof typeof data;
const typesOf: Record<string, EventType[]> = {
  activation: ['account.created', 'activation.requested', 'entitlement.requested'],
  'service-request': ['milestone.reached', 'milestone.reached', 'request.cancelled'],
};

export const transactions = ['T1', 'T2', '__proto__', 'a/b #%', '😀'.repeat(256)];

/** An event with valid attributes and data for one of the shipped models, which can still reject it. */
export const goodEvent: fc.Arbitrary<JsonObject> = fc
  .constantFrom(...Object.keys(typesOf))
  .chain((modelid) => fc.tuple(fc.constant(modelid), fc.constantFrom(...typesOf[modelid]!)))
  .chain(([modelid, type]) =>
    fc.record({
      specversion: fc.constant('1.0'),
      id: fc.nat(300).map((n) => `e${n}`),
      source: fc.constantFrom('tv', 'crm'),
      type: fc.constant(type),
      modelid: fc.constant(modelid),
      transactionid: fc.constantFrom(...transactions),
      data: data[type] as fc.Arbitrary<Json>,
    }),
  );

/** Times at and beyond the limits of RFC 3339. */
const oddTime = fc.constantFrom<Json>(
  ...['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+00:01', '0001-01-01T00:00:00Z'],
  ...['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:60Z', '9999-12-31T23:59:59-00:01'],
  ...['9999-12-25T00:00:00Z', '1969-12-31T23:59:59.5Z', '2016-12-31T23:59:60Z'],
  ...['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000000001+23:59', '2024-02-29T12:00:00-00:00'],
  ...['2026-01-01T24:00:00Z', '2026-02-29T00:00:00Z', '2026-01-01T00:00:00.1234567890Z'],
  ...['2026-01-01 00:00:00Z', '2026-01-01', '+002026-01-01T00:00:00Z', '٢٠٢٦-01-01T00:00:00Z', 0],
);

const oddReplyTo = fc.oneof(
  fc.constantFrom(
    ...['activation/T1', 'activation/a/b', 'activation/__proto__', 'constructor/x'],
    ...['/T1', 'activation/', 'activation', 'Activation/T1', 'activation/\u0000', '/'],
  ),
  oddText.map((text) => `activation/${text}`),
);

/** A change to an event, which removes or replaces an attribute or a member of its data. */
interface Change {
  readonly name: string;
  readonly inData: boolean;
  readonly value: Json | undefined;
}
const attributes = ['id', 'type', 'modelid', 'transactionid', 'source', 'specversion', 'data'];
const change: fc.Arbitrary<Change> = fc.oneof(
  changeOf(['time'], oddTime, 3),
  changeOf(['replyto'], oddReplyTo, 1),
  changeOf(
    [...attributes, 'time', 'replyto', 'data_base64'],
    fc.option(oddJson, { nil: undefined }),
    3,
  ),
  changeOf(['id', 'type', 'transactionid', 'source'], oddText, 3),
  changeOf([...attributes, 'replyto'], fc.constantFrom(...jsNames), 2),
  changeOf(jsNames, oddJson, 2),
  changeOf(['service', 'token', 'milestone', 'reason', ...jsNames], oddJson, 4, true),
);

function changeOf(
  names: readonly string[],
  value: fc.Arbitrary<Json | undefined>,
  weight: number,
  inData = false,
): fc.WeightedArbitrary<Change> {
  const name = fc.constantFrom(...names);
  return { weight, arbitrary: fc.record({ name, inData: fc.constant(inData), value }) };
}

/** Applies a change to a copy of an event. */
function changed(event: JsonObject, { name, inData, value }: Change): JsonObject {
  if (inData) {
    const inner = isJsonObject(event.data) ? event.data : {};
    return { ...event, data: changed(inner, { name, inData: false, value }) };
  }
  const members = new Map(Object.entries(event));
  if (value === undefined) members.delete(name);
  else members.set(name, value);
  return objectOf(members);
}

/** An event of a shipped model with zero or more changes. */
const anyEvent: fc.Arbitrary<JsonObject> = fc
  .tuple(goodEvent, fc.array(change, { maxLength: 3 }))
  .map(([event, changes]) => changes.reduce(changed, event));

/** An event whose data is so large that it is stored outside the commit or nearly fills the instance's state. */
const largeEvent = fc
  .tuple(goodEvent, fc.constantFrom('service', 'token', 'pad'), fc.constantFrom(9_000, 130_000))
  .map(([event, name, size]) => changed(event, { name, inData: true, value: 'x'.repeat(size) }));

/** Attributes that make an event look like one of Milepost's own events. */
const likeMilepost = fc.record(
  {
    type: fc.constantFrom(
      ...['milepost.redrive', 'milepost.rebuild', 'timer.fired', 'outcome.recorded'],
    ),
    source: fc.constantFrom(
      ...['milepost', 'milepost:clock', 'milepost:api', 'Milepost:api', 'milepost:activation/T1'],
    ),
    milepostmac: fc.constantFrom('0', `0.${'A'.repeat(43)}`, `7.${'A'.repeat(43)}`),
  },
  { requiredKeys: [] },
);

/** The JSON of an event in normal notation, with unnecessary escapes, or with unusual numbers. */
export const anyEventText: fc.Arbitrary<string> = fc.oneof(
  { weight: 200, arbitrary: anyEvent.map((event) => JSON.stringify(event)) },
  { weight: 20, arbitrary: anyEvent.map((event) => escaped(JSON.stringify(event))) },
  { weight: 20, arbitrary: fc.tuple(goodEvent, oddNumberText).map(withNumber) },
  { weight: 2, arbitrary: largeEvent.map((event) => JSON.stringify(event)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(goodEvent, likeMilepost)
      .map((parts) => JSON.stringify(Object.assign({}, ...parts))),
  },
);

function withNumber([event, number]: [JsonObject, string]): string {
  return JSON.stringify(event).replace('"data":{', `"data":{"n":${number},`);
}

/** Escapes the letters `p` and `t` in JSON. */
const escaped = (json: string) =>
  json.replace(/(?<!\\)[pt]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
