import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, cursor, time } from '../http/schema-values.ts';

const linkId = v.pipe(v.string(), v.description('the id of the link, for revoking it'));

/** A new link to an instance's status page; its token is returned only once. */
export const link = named('Link', {
  id: linkId,
  url: v.pipe(v.string(), v.url()),
  token: v.string(),
  expiresAt: time,
});

/** A link in a list. The token and the URL of a link are not stored. */
const listedLink = named('ListedLink', { id: linkId, createdAt: time, expiresAt: time });

export const linkPage = named('LinkPage', {
  links: v.array(listedLink),
  customerPages: v.pipe(
    v.boolean(),
    v.description('whether customer pages are turned on, so that links can be created'),
  ),
  cursor,
});

/** The number of links that a request revoked. */
export const revokedLinks = named('RevokedLinks', {
  revoked: v.pipe(count, v.description('the number of revoked links')),
});
