/** Matches the URL paths of pages. The web application selects the page by its path. */
export const pagePath = /^\/(?:(?:instances|models)(?:\/|$)|(?:dead-letters\/?)?$)/;

/** Matches the URL paths of files with a content hash in their names. Such files can be cached permanently. */
export const assetPath = /^\/assets\//;
