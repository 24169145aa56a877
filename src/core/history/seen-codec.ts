import { emptySets, type Seen } from './seen.ts';

/**
 * Encodes the seen events of an instance for the commit of a version: the number of events, then both sets if
 * the commit is a base, otherwise the version of its base and the events since. Sets of fingerprints are written
 * in ascending order as Rice-coded differences (Rice and Plaunt 1971): about 1.5 bits for each fingerprint on
 * top of the logarithm of the mean difference.
 */
export function encodeSeen({ total, base, sets, since }: Seen, version: number): Uint8Array {
  const writer = new BitWriter();
  writer.number(total);
  if (base === version && sets !== 'elsewhere') {
    writer.bit(1);
    writer.rising(sets.current);
    writer.rising(sets.previous);
  } else {
    writer.bit(0);
    writer.number(base);
    writer.rising(since);
  }
  return writer.bytes();
}

/** Decodes what `encodeSeen` wrote. If the base is another commit, `sets` is `elsewhere`. */
export function decodeSeen(bytes: Uint8Array, version: number): Seen {
  const reader = new BitReader(bytes);
  const total = reader.number();
  if (reader.bit()) {
    const sets = { current: reader.rising(), previous: reader.rising() };
    return { total, base: version, sets, since: [] };
  }
  const base = reader.number();
  return { total, base, sets: base === 0 ? emptySets : 'elsewhere', since: reader.rising() };
}

/** The number of low bits of each difference that are written verbatim: about log2 of the mean difference. */
function riceWidth(set: readonly number[]): number {
  const mean = (set.at(-1) ?? 0) / Math.max(set.length, 1);
  return Math.max(0, Math.floor(Math.log2(mean * Math.LN2 + 1)));
}

class BitWriter {
  readonly #bytes: number[] = [];
  #free = 0;

  bit(bit: number) {
    if (this.#free === 0) {
      this.#bytes.push(0);
      this.#free = 8;
    }
    this.#free--;
    if (bit) this.#bytes[this.#bytes.length - 1]! |= 1 << this.#free;
  }

  bits(value: number, width: number) {
    for (let i = width - 1; i >= 0; i--) this.bit((value >>> i) & 1);
  }

  /** An integer from 0 to 2^53, in groups of eight bits with a continuation bit before each. */
  number(value: number) {
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) {
      this.bit(1);
      this.bits(rest % 256, 8);
    }
    this.bit(0);
  }

  rice(value: number, width: number) {
    for (let quotient = Math.floor(value / 2 ** width); quotient > 0; quotient--) this.bit(1);
    this.bit(0);
    this.bits(value % 2 ** width, width);
  }

  /** A count, then that many numbers in ascending order. */
  rising(set: readonly number[]) {
    const width = riceWidth(set);
    this.number(set.length);
    this.bits(width, 5);
    let last = 0;
    for (const value of set) {
      this.rice(value - last, width);
      last = value;
    }
  }

  bytes = () => Uint8Array.from(this.#bytes);
}

class BitReader {
  readonly #source: Uint8Array;
  #position = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  bit(): number {
    const byte = this.#source[this.#position >>> 3];
    if (byte === undefined) throw new RangeError('the encoded set of seen events is truncated');
    return (byte >>> (7 - (this.#position++ & 7))) & 1;
  }

  bits(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++) value = value * 2 + this.bit();
    return value;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; this.bit(); unit *= 256) value += this.bits(8) * unit;
    return value;
  }

  rice(width: number): number {
    let quotient = 0;
    while (this.bit()) quotient++;
    return quotient * 2 ** width + this.bits(width);
  }

  rising(): number[] {
    const size = this.number();
    const width = this.bits(5);
    let last = 0;
    return Array.from({ length: size }, () => (last += this.rice(width)));
  }
}
