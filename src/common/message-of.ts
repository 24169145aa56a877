/** Returns the message of any thrown value, as well-formed Unicode for logs and JSON. */
export function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).toWellFormed();
}
