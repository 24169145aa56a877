import { eventAttributes } from '../../core/event/event.ts';
import { requestSchema } from '../http/json-schema.ts';

/** The maximum number of events in one request. */
export const maximumEvents = 500;

/**
 * The JSON Schemas of a request body, by media type. The API parses the body in the same way for all media types, but
 * generated clients do not support a body that is either one event or an array.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function eventBodies(): Record<string, object> {
  const event = eventSchema();
  return {
    'application/cloudevents-batch+json': { type: 'array', items: event, maxItems: maximumEvents },
    'application/cloudevents+json': event,
    'application/json': event,
  };
}

function eventSchema(): object {
  const schema = requestSchema(eventAttributes) as { readonly properties: Record<string, object> };
  const { data_base64: _unsupported, ...attributes } = schema.properties;
  const properties = Object.entries(attributes).map(([name, each]) => [
    name,
    { ...each, ...attributeNotes[name] },
  ]);
  return {
    ...schema,
    title: 'CloudEvent',
    description:
      'A CloudEvent of at most 256 KB. Strings must be well-formed Unicode. Extension attributes are allowed; ' +
      '`traceparent` (W3C Trace Context) assigns the event to a trace.',
    properties: Object.fromEntries(properties) as object,
    propertyNames: { not: { const: '__proto__' } },
    // Not `Json`: generators for TypeScript would require the optional attributes to have this type, too.
    additionalProperties: true,
  };
}

/**
 * Descriptions and rules that apply only to events sent over HTTP. Such descriptions and rules are not part of the
 * attributes' schema because that schema also validates records from the stream.
 */
const attributeNotes: Readonly<Record<string, object>> = {
  id: { description: '`source` and `id` together identify the event' },
  type: { description: 'the event type, such as `tickets.reserved`' },
  modelid: { description: 'the id of the model' },
  transactionid: { description: 'the id of the instance' },
  source: {
    description:
      'the system that reports the event; default: `unknown`; sources that start with `milepost:` are reserved for ' +
      'Milepost',
    not: { type: 'string', pattern: '^[Mm][Ii][Ll][Ee][Pp][Oo][Ss][Tt]:' },
  },
  time: {
    description:
      'when the event happened; digits after the nanoseconds are cut off; default: when the stream receives the event',
  },
  replyto: { description: 'the instance that receives the outcome, as `model/transaction`' },
  data: { description: 'default: `{}`', $ref: '#/components/schemas/Json' },
};
