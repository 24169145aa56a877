/** Paths that a page is at, as they are in a URL: the page itself finds out which. */
export const pagePath = /^\/(?:(?:instances|models)(?:\/|$)|(?:dead-letters\/?)?$)/;

/** Paths of files whose names say what is in them, so that they may be kept for ever. */
export const assetPath = /^\/assets\//;
