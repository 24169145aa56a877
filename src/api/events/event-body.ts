import { eventAttributes } from '../../core/event/event.ts';
import { requestSchema } from '../http/json-schema.ts';

/** The most events in one request. */
export const maximumEvents = 500;

/** The body of a request that puts events, as JSON Schema. */
export function eventBody(): object {
  const event = eventSchema();
  return { anyOf: [event, { type: 'array', items: event, maxItems: maximumEvents }] };
}

function eventSchema(): object {
  const schema = requestSchema(eventAttributes) as { readonly properties: Record<string, object> };
  const properties = Object.entries(schema.properties).map(([name, each]) => [
    name,
    { ...each, ...attributeNotes[name] },
  ]);
  return {
    ...schema,
    description:
      'A CloudEvent of at most 256 KB. Texts are well-formed Unicode. It may have more attributes; a ' +
      '`traceparent` (W3C) says which trace it belongs to.',
    properties: Object.fromEntries(properties) as object,
    propertyNames: { not: { const: '__proto__' } },
    additionalProperties: json,
  };
}

const json = { $ref: '#/components/schemas/Json' };

/** What the schema of the attributes, which serves the stream too, does not say. */
const attributeNotes: Readonly<Record<string, object>> = {
  id: { description: 'together with `source` it names the event' },
  type: { description: 'such as `tickets.reserved`' },
  modelid: { description: 'the model that takes it' },
  transactionid: { description: 'the instance that it happened to' },
  source: {
    description:
      'the system that reports it, by default `unknown`; sources that start with `milepost:` are reserved for events ' +
      'of Milepost itself',
    not: { type: 'string', pattern: '^[Mm][Ii][Ll][Ee][Pp][Oo][Ss][Tt]:' },
  },
  time: { description: 'when it happened, to nine digits of a second at most; by default now' },
  replyto: { description: 'the instance that hears the outcome: `model/transaction`' },
  data: { description: 'by default `{}`', ...json },
  data_base64: { description: 'not taken: send JSON in `data`' },
};
