/** The error thrown when bytes are not a valid Protocol Buffers message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** A message's field: its number, and its value as an integer or bytes. */
export interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The wire types in the lowest three bits of a field's tag. */
const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads a Protocol Buffers message's fields in order. Skips fixed-length values.
 *
 * @throws MalformedMessage if the bytes are not a valid message.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function* readFields(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    // Ten bytes contain 64 bits. Values above 2^53 are neither valid indexes nor valid lengths.
    for (let i = 0; i < 10; i++) {
      const byte = bytes[at++];
      if (byte === undefined) throw new MalformedMessage('a varint is truncated');
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw new MalformedMessage('a varint has more than 64 bits');
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at)
      throw new MalformedMessage('a field is longer than the remaining bytes');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case wireType.varint:
        yield { number, value: varint() };
        break;
      case wireType.bytes:
        yield { number, value: take(varint()) };
        break;
      case wireType.fixed64:
        take(8);
        break;
      case wireType.fixed32:
        take(4);
        break;
      default:
        throw new MalformedMessage(`a field has the unsupported wire type ${tag % 8}`);
    }
  }
}
