import * as v from 'valibot';
import { count, cursor, time } from '../http/schema-values.ts';

const linkId = v.pipe(v.string(), v.description('revokes the link'));

/** A link to an instance's status page, as it is told once. */
export const link = v.object({
  id: linkId,
  url: v.pipe(v.string(), v.url()),
  token: v.string(),
  expiresAt: time,
});

/** A link in a list. Neither its token nor its URL is kept. */
const listedLink = v.object({ id: linkId, createdAt: time, expiresAt: time });

export const linkPage = v.object({ links: v.array(listedLink), cursor });

/** How many links an operator revoked at once. */
export const revokedLinks = v.object({ revoked: v.pipe(count, v.description('how many links')) });
