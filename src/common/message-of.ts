/**
 * Returns the message of any thrown value: of an error without a message, its name, and of any other object, its JSON.
 * The text is well-formed Unicode, so logs and JSON can contain it.
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
