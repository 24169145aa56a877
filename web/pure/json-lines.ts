import { escapeJson } from '../../src/common/escape.ts';
import { isJsonObject } from '../../src/core/json/json.ts';
import { pointerOf } from '../../src/core/json/json-pointer.ts';

/** A line of formatted JSON, with the value that it shows. */
export interface JsonLine {
  readonly text: string;
  /** True if the line belongs to a marked path. */
  readonly marked: boolean;
  /** The JSON Pointer of the value, if the line shows a value without members. */
  readonly field?: string;
}

/**
 * Formats JSON like `JSON.stringify(value, null, 2)`, escapes characters that are invisible or change the text
 * direction, and marks the lines of the given paths.
 *
 * @param places the paths to mark, each an array of member names and indexes as JSON text.
 */
export function jsonLines(value: unknown, places: ReadonlySet<string>): JsonLine[] {
  const lines: JsonLine[] = [];
  const print = (
    each: unknown,
    path: readonly (string | number)[],
    lead: string,
    end: string,
    around: boolean,
  ) => {
    const marked = around || places.has(JSON.stringify(path));
    const indent = '  '.repeat(path.length);
    const members: [string | number, unknown][] = Array.isArray(each)
      ? each.map((item, index) => [index, item])
      : isJsonObject(each)
        ? Object.entries(each)
        : [];
    if (members.length === 0) {
      const field = pointerOf(path);
      lines.push({ text: `${indent}${lead}${jsonText(each)}${end}`, marked, field });
      return;
    }
    const [open, close] = Array.isArray(each) ? '[]' : '{}';
    lines.push({ text: `${indent}${lead}${open}`, marked });
    members.forEach(([name, item], index) => {
      const itsLead = typeof name === 'string' ? `${jsonText(name)}: ` : '';
      print(item, [...path, name], itsLead, index < members.length - 1 ? ',' : '', marked);
    });
    lines.push({ text: `${indent}${close}${end}`, marked });
  };
  print(value, [], '', '', false);
  return lines;
}

const jsonText = (value: unknown) => escapeJson(JSON.stringify(value));
