export type QueryParameters = Readonly<Record<string, string>>;

/**
 * Encodes and sorts query parameters as required for the canonical request in Signature Version 4.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const encodeQuery = (parameters: QueryParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/**
 * Encodes all characters except those that RFC 3986 calls unreserved. `encodeURIComponent` does not encode
 * five of these characters.
 */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
