/**
 * Finds the word that is most similar to a given word, for a "did you mean" message; undefined if none is similar. The
 * similarity depends on the number of characters to insert, remove, replace, or transpose, ignoring case.
 *
 * @param maximumEdits the maximum number of such changes. Default: 40% of the characters of the longer word, which is
 *   always the limit.
 */
export function closestWord(
  word: string,
  words: readonly string[],
  maximumEdits = Number.POSITIVE_INFINITY,
): string | undefined {
  const ranked = words
    .map((each) => ({ each, distance: distanceOf(word.toLowerCase(), each.toLowerCase()) }))
    .filter(
      ({ each, distance }) =>
        distance <= Math.min(maximumEdits, Math.max(word.length, each.length) * 0.4),
    )
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.each;
}

/**
 * Returns the end of a message about an unknown name, such as "; did you mean `parcel`?". Returns an empty
 * string if no name is similar.
 */
export function didYouMean(word: string, words: readonly string[]): string {
  const found = closestWord(word, words);
  return found === undefined ? '' : `; did you mean \`${found}\`?`;
}

/** Computes the optimal string alignment distance of two words. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
