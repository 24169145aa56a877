/** The error that some work throws; undefined if it does not throw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
