/** Values in their order, so many together; the last ones may be fewer. */
export function inChunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
}

/** How much goes together. */
export interface ChunkLimits {
  readonly values: number;
  readonly bytes: number;
}

/** Values in their order, so many together as there is room for; one that is larger stands alone. */
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
