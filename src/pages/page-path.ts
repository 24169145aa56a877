/** The URL paths of pages. The web application picks the page by its path. */
export const pagePath = /^\/(?:(?:instances|models)(?:\/|$)|(?:dead-letters\/?)?$)/;

/** The URL paths of files with a content hash in their name, which may be cached forever. */
export const assetPath = /^\/assets\//;
