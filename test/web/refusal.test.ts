import { expect, it } from 'vitest';
import { refusalText } from '../../web/pure/refusal.ts';

it.each([
  [
    '{"title":"Conflict","status":409,"detail":"the model has no sensitive fields"}',
    409,
    'the model',
  ],
  ['{"message":"Too Many Requests"}', 429, 'Try again in a few seconds.'],
  ['{"message":"Service Unavailable"}', 503, 'Try again in a few seconds.'],
  ['{"message":"Forbidden"}', 403, 'You do not have permission'],
  ['{"message":"Unauthorized"}', 401, 'Log in'],
  ['<html>Bad Gateway</html>', 502, 'status 502'],
])(
  'the pages convert the error response `%s` with status %i to a message that contains %j',
  (text, status, said) => {
    expect(refusalText(text, status)).toContain(said);
  },
);
