/**
 * Returns true if parsing a JSON number as a double and formatting the double again preserves the number's value.
 *
 * The function must run in linear time because a record can consist of one long number. A regular expression such as
 * `/0+$/` would take quadratic time.
 */
export function isExactAsDouble(decimal: string): boolean {
  const value = Number(decimal);
  return Number.isFinite(value) && normalized(String(value)) === normalized(decimal);
}

const zero = '0'.charCodeAt(0);
const minus = '-'.charCodeAt(0);
const point = '.'.charCodeAt(0);
const smallE = 'e'.charCodeAt(0);
const capitalE = 'E'.charCodeAt(0);

/** Normalizes a decimal to its significant digits and a power of ten: `1.50e3` becomes `15e2`. */
function normalized(decimal: string): string {
  const isNegative = decimal.charCodeAt(0) === minus;
  let pointAt = -1;
  /** The indexes of the first and last nonzero digits; -1 if there are none. */
  let first = -1;
  let last = -1;
  let at = isNegative ? 1 : 0;
  for (; at < decimal.length; at++) {
    const code = decimal.charCodeAt(at);
    if (code === smallE || code === capitalE) break;
    if (code === point) pointAt = at;
    else if (code !== zero) {
      if (first < 0) first = at;
      last = at;
    }
  }
  if (first < 0) return '0';
  const onesEnd = pointAt < 0 ? at : pointAt;
  const exponent = at < decimal.length ? Number(decimal.slice(at + 1)) : 0;
  const power = exponent + onesEnd - last - (last < onesEnd ? 1 : 0);
  return `${isNegative ? '-' : ''}${decimal.slice(first, last + 1).replace('.', '')}e${power}`;
}
