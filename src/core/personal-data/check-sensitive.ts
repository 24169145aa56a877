import { closestWord } from '../../common/closest-word.ts';
import { jsonSchemaOf } from '../json/json-schema-of.ts';
import type { EventSchemas } from '../model/model.ts';
import { findUnmatchedPath, type UnmatchedPath } from '../model/schema-fields.ts';
import { type Sensitive, sensitivePathViolation } from './sensitive.ts';

/** The maximum number of field names in a message. */
const maximumFields = 20;

/**
 * Returns why a model's sensitive fields would not all be sealed: an invalid path, an event type that the model does
 * not accept, or a path that matches no field of an event's schema. Returns undefined if there is no such mistake.
 * Paths in the state are checked only for their format.
 */
export function sensitiveViolation(sensitive: Sensitive, events: EventSchemas): string | undefined {
  const wrong = sensitivePathViolation(sensitive);
  if (wrong) return wrong;
  for (const [type, paths] of Object.entries(sensitive.events ?? {})) {
    const place = `sensitive.events[${JSON.stringify(type)}]`;
    if (!Object.hasOwn(events, type))
      return `${place}: the model does not declare this event.${suggestion(type, Object.keys(events))}`;
    const schema = jsonSchemaOf(events[type]!);
    for (const path of paths) {
      const end = findUnmatchedPath(schema, path.split('.'));
      if (end)
        return `${place}: ${JSON.stringify(path)} matches no field of the event's schema.${advice(end)}`;
    }
  }
  return undefined;
}

function advice({ parent, name, fields }: UnmatchedPath): string {
  const within = parent.length === 0 ? 'The schema' : JSON.stringify(parent.join('.'));
  if (fields.length === 0) return ` ${within} has no fields.`;
  const paths = fields.map((field) => [...parent, field].join('.'));
  const shown = paths.slice(0, maximumFields).join(', ');
  const more = paths.length > maximumFields ? ', …' : '';
  return `${suggestion([...parent, name].join('.'), paths)} ${within} has ${shown}${more}.`;
}

function suggestion(word: string, words: readonly string[]): string {
  const found = closestWord(word, words);
  return found === undefined ? '' : ` Did you mean ${JSON.stringify(found)}?`;
}
