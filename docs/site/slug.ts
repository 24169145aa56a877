/**
 * The anchor of a heading. It is the one that code hosts generate, so links between pages work there and on the
 * site.
 */
export const slug = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
