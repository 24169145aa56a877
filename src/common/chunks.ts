/** Splits values into chunks of the given size, in order. The last chunk may be smaller. */
export function inChunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
}

/** The maximum number of values in a chunk, and their maximum total size in bytes. */
export interface ChunkLimits {
  readonly values: number;
  readonly bytes: number;
}

/**
 * Splits values into chunks within limits, in order. A value that exceeds the byte limit by itself gets its own chunk.
 */
export function inChunksWithin<Value>(
  values: readonly Value[],
  room: ChunkLimits,
  bytesOf: (value: Value) => number,
): Value[][] {
  const packs: Value[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const value of values) {
    const more = bytesOf(value);
    if (bytes + more > room.bytes || packs.at(-1)!.length === room.values) {
      packs.push([]);
      bytes = 0;
    }
    packs.at(-1)!.push(value);
    bytes += more;
  }
  return packs;
}

/** Splits values into two halves. */
export function halvesOf<Value>(values: readonly Value[]): readonly [Value[], Value[]] {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
}
