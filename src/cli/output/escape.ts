import { isUtf8 } from 'node:buffer';

const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const unsafeInJson = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from outside made safe for a terminal and for one line: control characters and those that
 * turn the direction of writing are shown as escapes (`\x1b`).
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character > '\xff') return unicodeEscape(character);
    return shortEscapes[character] ?? hexEscape(character);
  });
}

/** Bytes that should be text, made safe like it; bytes that are none are shown as `\xff`. */
export function escapeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return escapeControls(bytes.toString());
  return bytes.toString('latin1').replace(/[^\x20-\x7e]/g, hexEscape);
}

/** Text as one word of a command line that a person copies into a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same JSON, with the characters escaped that a terminal would act on. */
export function escapeJson(json: string): string {
  return json.replace(unsafeInJson, unicodeEscape);
}

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
