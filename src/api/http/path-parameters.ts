import * as v from 'valibot';
import { deadLetterIdPattern } from '../../core/event/dead-letter.ts';
import { instanceKey } from '../../core/event/event.ts';
import { customerLinkIdPattern } from '../../core/status/customer-link.ts';

const { model, transaction } = instanceKey.entries;

/**
 * The path parameters in the OpenAPI description. A value that does not match the schema results in a 404 or, if it
 * contains a dot segment or a control character, in a 400.
 */
export const modelPath = {
  model: v.pipe(model, v.examples(['activation']), v.description('the id of a model')),
};
export const instancePath = {
  ...modelPath,
  transaction: v.pipe(
    transaction,
    // `refusalOfPath` rejects these segments.
    v.metadata({ not: { pattern: '(^|[/\\\\])\\.\\.?([/\\\\]|$)' } }),
    v.examples(['ATV-123']),
    v.description('a transaction id, URL-encoded'),
  ),
};
export const linkPath = {
  ...instancePath,
  id: v.pipe(
    v.string(),
    v.regex(customerLinkIdPattern),
    v.examples(['0mhk3v7q2-4f1c9a0be3d27856']),
    v.description('the id of a link'),
  ),
};
export const letterPath = {
  id: v.pipe(
    v.string(),
    v.regex(deadLetterIdPattern),
    v.examples(['0mi9vqo00-1hfgru7z7khfqansccv62vo5jvxfk-98eb3cea']),
    v.description('the id of a dead letter'),
  ),
};
