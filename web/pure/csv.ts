/**
 * The places in a value where a spreadsheet program could find a formula: the start of the value, and the text after a
 * semicolon, a tab, or a line break. In many countries, a semicolon separates the cells of a CSV file, and these
 * programs then ignore quotation marks in the middle of a cell. Japanese programs also accept full-width signs.
 */
const formulaStart = /(?<=^|[;\t\r\n]"*)(?=[=+\-@\t\r＝＋－＠])/g;

/**
 * Formats rows as CSV (RFC 4180) for spreadsheet programs, which recognize UTF-8 by the byte order mark. Inserts an
 * apostrophe before text that a spreadsheet would execute as a formula.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) => row.map(field).join(','));
  return `\u{feff}${lines.map((line) => `${line}\r\n`).join('')}`;
}

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(formulaStart, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
