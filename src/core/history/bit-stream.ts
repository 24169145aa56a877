/** Writes bits, filling each byte from its most significant bit. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #free = 0;

  bit(bit: number): void {
    this.bits(bit, 1);
  }

  /** Writes an integer from 0 to 2^`width` - 1 in `width` bits. `width` is at most 53. */
  bits(value: number, width: number): void {
    if (width > 32) this.bits(Math.floor(value / 2 ** 32), width - 32);
    for (let left = Math.min(width, 32); left > 0; ) {
      if (this.#free === 0) {
        this.#bytes.push(0);
        this.#free = 8;
      }
      const count = Math.min(left, this.#free);
      left -= count;
      this.#free -= count;
      this.#bytes[this.#bytes.length - 1]! |= ((value >>> left) & ((1 << count) - 1)) << this.#free;
    }
  }

  /** Writes an integer from 0 to 2^53 in groups of eight bits, with a continuation bit before each group. */
  number(value: number): void {
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) {
      this.bit(1);
      this.bits(rest % 256, 8);
    }
    this.bit(0);
  }

  /**
   * Writes ascending numbers as Rice-coded differences (Rice and Plaunt 1971). Each number takes about 1.5
   * bits more than the binary logarithm of the mean difference.
   */
  rising(values: readonly number[]): void {
    const width = riceWidth(values);
    this.number(values.length);
    this.bits(width, 5);
    let last = 0;
    for (const value of values) {
      this.#rice(value - last, width);
      last = value;
    }
  }

  #rice(value: number, width: number): void {
    for (let quotient = Math.floor(value / 2 ** width); quotient > 0; quotient--) this.bit(1);
    this.bit(0);
    this.bits(value % 2 ** width, width);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Reads the output of a `BitWriter`. Each method throws a RangeError if the bytes end too early. */
export class BitReader {
  readonly #source: Uint8Array;
  #position = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  bit(): number {
    return this.bits(1);
  }

  bits(width: number): number {
    let value = 0;
    for (let left = width; left > 0; ) {
      const byte = this.#source[this.#position >>> 3];
      if (byte === undefined) throw new RangeError('the encoded set of seen events is truncated');
      const available = 8 - (this.#position & 7);
      const count = Math.min(left, available);
      const bits = (byte >>> (available - count)) & ((1 << count) - 1);
      value = value * 2 ** count + bits;
      left -= count;
      this.#position += count;
    }
    return value;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; this.bit(); unit *= 256) value += this.bits(8) * unit;
    return value;
  }

  rising(): number[] {
    const size = this.number();
    const width = this.bits(5);
    let last = 0;
    return Array.from({ length: size }, () => (last += this.#rice(width)));
  }

  #rice(width: number): number {
    let quotient = 0;
    while (this.bit()) quotient++;
    return quotient * 2 ** width + this.bits(width);
  }
}

/** Returns the number of low bits of each difference that are written verbatim: about log2 of the mean difference. */
function riceWidth(values: readonly number[]): number {
  const mean = (values.at(-1) ?? 0) / Math.max(values.length, 1);
  return Math.max(0, Math.floor(Math.log2(mean * Math.LN2 + 1)));
}
