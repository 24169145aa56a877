/** Invisible characters that no writing system needs, such as the zero-width space. */
const invisible = String.raw`\u00ad\u200b\u2060-\u2064\ufeff`;
const unsafe = new RegExp(String.raw`[\p{Cc}\p{Bidi_Control}\u2028\u2029${invisible}]`, 'gu');
const unsafeInJson = new RegExp(
  String.raw`[\u007f-\u009f\p{Bidi_Control}\u2028\u2029${invisible}]`,
  'gu',
);

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes external text for one line of output. Control characters, invisible characters, and characters that change
 * the text direction become escapes such as `\x1b`.
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character > '\xff') return unicodeEscape(character);
    return shortEscapes[character] ?? hexEscape(character);
  });
}

/** Escapes the characters in JSON that a terminal interprets, that are invisible, or that change the text direction. */
export function escapeJson(json: string): string {
  return json.replace(unsafeInJson, unicodeEscape);
}

/** Escapes a character up to U+00FF, such as `\x1b`. */
export function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
