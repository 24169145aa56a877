import { endOfString } from './json-tokens.ts';

/**
 * Splits a JSON array into the texts of its elements.
 *
 * @param text the text of a non-empty array, which must be valid JSON.
 */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const character = text[at]!;
    const isEnd = character === ']' || character === '}';
    if (isEnd) depth--;
    if ((isEnd && depth === 0) || (character === ',' && depth === 1)) {
      elements.push(text.slice(start, at).trim());
      start = at + 1;
    } else if (character === '[' || character === '{') {
      if (depth === 0) start = at + 1;
      depth++;
    }
    at = character === '"' ? endOfString(text, at) : at + 1;
  }
  return elements;
}
