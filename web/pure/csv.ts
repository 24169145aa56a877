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
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
