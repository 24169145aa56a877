/**
 * Returns the anchor of a heading in the form that GitHub generates so that links between pages work in the repository
 * and on the site.
 */
export const slug = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
