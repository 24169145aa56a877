/** What some work throws; undefined when it does not. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
