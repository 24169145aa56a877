import { escapeJson } from '../../src/common/escape.ts';
import { indentJson } from '../../src/common/indent-json.ts';
import { isJson } from '../../src/common/is-json.ts';

/** The decoded content of a record, with its detected kind. */
export interface Content {
  readonly kind: 'JSON' | 'text' | 'bytes';
  /**
   * The content as formatted JSON, plain text, or hexadecimal with 16 bytes per line. Characters that are invisible or
   * change the text direction are escaped.
   */
  readonly text: string;
  /** The size of the record in bytes. */
  readonly size: number;
}

/** Decodes the bytes of a record, which are in Base64. */
export function decodeContent(base64: string): Content {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const size = bytes.length;
  const text = asText(bytes);
  if (text === undefined) return { kind: 'bytes', text: hexadecimal(bytes), size };
  return isJson(text)
    ? { kind: 'JSON', text: escapeJson(indentJson(text)), size }
    : { kind: 'text', text: escapeJson(text), size };
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Text contains no control characters except line breaks and tabs.
    // oxlint-disable-next-line eslint/no-control-regex
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function hexadecimal(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = Array.from(bytes.subarray(at, at + 16), (byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    lines.push(`${at.toString(16).padStart(4, '0')}  ${row.join(' ')}`);
  }
  return lines.join('\n');
}

/** Formats a size, such as `1 byte`, `512 bytes`, or `1.5 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [value, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KB'] : [bytes / 1024 ** 2, 'MB'];
  return `${value.toFixed(1)} ${unit}`;
}
