/** The maximum number of results of each kind that `GET /api/search` returns. */
export const maximumSearchResults = 8;
