import type { Seen } from './seen.ts';

/**
 * The bytes of a `Seen`: three counts, then each set's fingerprints in rising
 * order as Rice-coded differences (Rice and Plaunt 1971), which takes about
 * 1.5 bits more a fingerprint than its share of the range.
 */
export function encodeSeen(seen: Seen): Uint8Array {
  const writer = new BitWriter();
  writer.number(seen.total);
  for (const set of [seen.current, seen.previous]) {
    const width = riceWidth(set);
    writer.number(set.length);
    writer.bits(width, 5);
    let last = 0;
    for (const fingerprint of set) {
      writer.rice(fingerprint - last, width);
      last = fingerprint;
    }
  }
  return writer.bytes();
}

/** Reads back what `encodeSeen` wrote. */
export function decodeSeen(bytes: Uint8Array): Seen {
  const reader = new BitReader(bytes);
  const total = reader.number();
  const [current, previous] = [0, 1].map(() => {
    const size = reader.number();
    const width = reader.bits(5);
    let last = 0;
    return Array.from({ length: size }, () => (last += reader.rice(width)));
  });
  return { total, current: current!, previous: previous! };
}

/** How many low bits of each difference are written as they are: about log2 of the mean difference. */
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

  /** A whole number of any size up to 2^53, in groups of eight bits with a bit before each. */
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
    if (byte === undefined) throw new RangeError('the bytes of a set of seen events end too soon');
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
}
