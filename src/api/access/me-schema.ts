import * as v from 'valibot';
import { named } from '../http/named.ts';
import { allRoles } from './roles.ts';

/** The response of `GET /api/me`. */
export const me = named('Caller', {
  roles: v.pipe(
    v.array(v.picklist(allRoles)),
    v.description(
      'a viewer can only read; an operator can also send events, redrive, rebuild, delete dead letters, roll models back, create and revoke links, and destroy personal data',
    ),
  ),
});
