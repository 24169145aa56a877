import * as v from 'valibot';

/** The roles of the caller. */
export const me = v.object({
  roles: v.pipe(
    v.array(v.picklist(['viewer', 'operator'])),
    v.description(
      'a viewer reads; an operator also redrives, deletes, rolls back, creates and revokes links, and sends events',
    ),
  ),
});
