/** The minimum interval between announcements of a shard or table, in milliseconds. */
const intervalMs = 20;

/**
 * Returns a function that prints a line for the parent process: the name of a stream and the id of a shard, or the name
 * of a table. Prints each line at most once per interval.
 */
export function announcer(): (name: string, shardId?: string) => void {
  /**
   * The lines whose interval has not ended. The value is true if the line must be printed again at the end of the
   * interval.
   */
  const waiting = new Map<string, boolean>();
  const announce = (line: string): void => {
    if (waiting.has(line)) return void waiting.set(line, true);
    process.stdout.write(`${line}\n`);
    waiting.set(line, false);
    setTimeout(() => {
      const isDue = waiting.get(line);
      waiting.delete(line);
      if (isDue) announce(line);
    }, intervalMs);
  };
  return (name, shardId) => announce(shardId === undefined ? name : `${name} ${shardId}`);
}
