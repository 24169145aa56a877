import { isUtf8 } from 'node:buffer';
import { escapeControls, hexEscape } from '../../common/escape.ts';

/** Escapes bytes for a terminal. Bytes that are not text become escapes such as `\xff`. */
export function escapeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return escapeControls(bytes.toString());
  return bytes.toString('latin1').replace(/[^\x20-\x7e]/g, hexEscape);
}
