/** Replaces each local time with a mask of the same width so that a snapshot does not depend on the time zone. */
export const timeless = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'YYYY-MM-DD hh:mm:ss');
