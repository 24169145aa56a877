/* Functions that find the ends of tokens in JSON. They do not validate the JSON. */

export const quote = '"'.charCodeAt(0);
export const colon = ':'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const minus = '-'.charCodeAt(0);
const plus = '+'.charCodeAt(0);
const point = '.'.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const nine = '9'.charCodeAt(0);
const smallE = 'e'.charCodeAt(0);
const capitalE = 'E'.charCodeAt(0);
const space = ' '.charCodeAt(0);

/** Returns true if a number can start with this character. */
export const startsNumber = (code: number): boolean =>
  (code >= zero && code <= nine) || code === minus;

/** Returns the index after the end of the string that starts at `start`. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at + 1;
}

/** Returns the index after the end of the number that starts at `start`. */
export function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isInNumber(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the index of the first character at or after `start` that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

const isInNumber = (code: number) =>
  (code >= zero && code <= nine) ||
  code === point ||
  code === smallE ||
  code === capitalE ||
  code === minus ||
  code === plus;
