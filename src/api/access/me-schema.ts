import * as v from 'valibot';

/** What whoever asks may do. */
export const me = v.object({
  roles: v.pipe(
    v.array(v.picklist(['viewer', 'operator'])),
    v.description(
      'a viewer reads; an operator also redrives, deletes, rolls back, makes and revokes links, and puts events',
    ),
  ),
});
