interface State {
  readonly sum: number;
  readonly trail: number;
  readonly filler?: string;
}

/** What an instance of the tally model starts with. */
export const start: State = { sum: 0, trail: 0 };

const largestState = 300 * 1024;

/** What the tally model is supposed to do with an event: written a second time, on purpose. */
export function fold(
  before: State,
  type: string,
  data: unknown,
): { readonly state: State; readonly rejected: boolean; readonly status: string } {
  const after = next(before, type, data as { n?: unknown; bytes?: unknown });
  const state = after && JSON.stringify(after).length <= largestState ? after : before;
  const status = state.sum === 0 ? 'Empty' : state.sum >= 50 ? 'High' : 'Low';
  return { state, rejected: state !== after, status };
}

function next(before: State, type: string, { n, bytes }: { n?: unknown; bytes?: unknown }) {
  if (type === 'filled' && typeof bytes === 'number')
    return { ...before, filler: 'x'.repeat(bytes) };
  if (typeof n !== 'number' || n < 0) return undefined;
  const trail = (31 * before.trail + n + 1) % 1_000_003;
  if (type === 'added') return { ...before, sum: before.sum + n, trail };
  if (type === 'taken' && before.sum >= n) return { ...before, sum: before.sum - n, trail };
  return undefined;
}
