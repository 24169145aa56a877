const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Formats a duration in its largest whole unit, such as `3 minutes`. */
export function durationText(ms: number): string {
  for (const [unit, length] of units)
    if (ms >= length) return countText(Math.floor(ms / length), unit);
  return 'less than a second';
}

/** Formats a number with its noun, such as `1 record` or `3 records`. */
export const countText = (count: number, noun: string, more = false) =>
  `${count}${more ? ' or more' : ''} ${noun}${count === 1 && !more ? '' : 's'}`;

const maximumLength = 160;

/** Truncates text to about two terminal lines. */
export const shortened = (text: string) =>
  text.length > maximumLength ? `${text.slice(0, maximumLength - 1).trimEnd()}…` : text;

/** Returns the most frequent string and its share, such as `"no such model" (3 of 5)`. */
export function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [text = '', count = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const share = texts.length > 1 ? ` (${count} of ${texts.length})` : '';
  return `"${shortened(text)}"${share}`;
}
