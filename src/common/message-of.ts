/** The message of anything that was thrown, for logs and answers; well-formed, as JSON should be. */
export function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).toWellFormed();
}
