/** The minimum interval between announcements of the same name, in milliseconds. */
const intervalMs = 20;

/** Returns a function that prints a name as a line for the parent process, at most once per interval and name. */
export function announcer(): (name: string) => void {
  /** The names whose interval has not ended, and whether another announcement is due at the end of the interval. */
  const waiting = new Map<string, boolean>();
  const announce = (name: string): void => {
    if (waiting.has(name)) return void waiting.set(name, true);
    process.stdout.write(`${name}\n`);
    waiting.set(name, false);
    setTimeout(() => {
      const isDue = waiting.get(name);
      waiting.delete(name);
      if (isDue) announce(name);
    }, intervalMs);
  };
  return announce;
}
