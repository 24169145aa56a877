/**
 * What a heading is linked to by: as code hosts make it, so that a link between pages works there and on the
 * site.
 */
export const slug = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
