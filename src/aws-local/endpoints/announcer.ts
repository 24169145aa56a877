/** The minimum interval between announcements, in milliseconds. */
const intervalMs = 50;

/** Returns a function that prints a line for the parent process, but at most once per interval. */
export function announcer(): () => void {
  let isWaiting = false;
  let isDue = false;
  const announce = (): void => {
    if (isWaiting) {
      isDue = true;
      return;
    }
    process.stdout.write('\n');
    isDue = false;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (isDue) announce();
    }, intervalMs);
  };
  return announce;
}
