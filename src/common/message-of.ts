/** Returns the message of any thrown value. The text is well-formed Unicode, so logs and JSON can contain it. */
export function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).toWellFormed();
}
