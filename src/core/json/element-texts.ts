import { endOfString, skipSpace } from './json-tokens.ts';
import { parseJson } from './parse-json.ts';

/**
 * Splits a JSON array into the JSON of its elements, or a JSON object into the JSON of its members.
 *
 * @param text a non-empty array or object as valid JSON.
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

/**
 * Returns the JSON of a member's value in a JSON object; undefined if there is no such member. If several members have
 * the same name, the last one wins, as in `JSON.parse`.
 *
 * @param text a non-empty object as valid JSON.
 */
export function memberText(text: string, name: string): string | undefined {
  const endOfName = (member: string) => endOfString(member, 0);
  const found = elementTexts(text).findLast(
    (member) => parseJson(member.slice(0, endOfName(member))) === name,
  );
  // The value follows the colon after the name.
  return found?.slice(skipSpace(found, endOfName(found)) + 1).trim();
}
