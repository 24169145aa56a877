/**
 * Returns the message of any thrown value: for an error without a message, the error's name; for a plain object, its
 * JSON. The text is well-formed Unicode, so logs and JSON can contain it.
 */
export function messageOf(thrown: unknown): string {
  return textOf(thrown).toWellFormed();
}

function textOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  try {
    const text = String(thrown);
    return text === '[object Object]' ? (JSON.stringify(thrown) ?? text) : text;
  } catch {
    return 'an object that cannot be shown';
  }
}
