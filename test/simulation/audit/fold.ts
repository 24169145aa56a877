import type { CommitItem, HistoryEntry, Instance } from './tables.ts';

interface State {
  readonly sum: number;
  readonly trail: number;
  readonly rings?: number;
  readonly filler?: string;
  readonly secrets?: number;
}

/** An event or a notification that an instance sends. */
export type Sending =
  | {
      readonly type: string;
      readonly to: readonly [model: string, transaction: string];
      readonly data: unknown;
      readonly replyTo: boolean;
    }
  | { readonly type: string; readonly to: 'people'; readonly data: unknown };

/** The start of a timer or, without a time, its cancellation. */
export interface TimerChange {
  readonly name: string;
  readonly dueAt?: string;
}

/** The expected result of an event in the tally model. */
export interface After {
  readonly state: State;
  readonly rejected: boolean;
  readonly status: string;
  readonly sendings: readonly Sending[];
  readonly timers: readonly TimerChange[];
}

/** An entry of a history, with the expected state after it. */
export interface Replayed {
  readonly entry: HistoryEntry;
  readonly commit: CommitItem;
  /** The index of the entry in its commit. */
  readonly place: number;
  readonly after: After;
}

/** An instance with its expected history. */
export interface Sender {
  readonly instance: Instance;
  readonly replayed: readonly Replayed[];
}

interface Taken {
  readonly state: State;
  readonly sendings?: readonly Sending[];
  readonly timers?: readonly TimerChange[];
}

const maximumStateBytes = 300 * 1024;
const maximumEventBytes = 256 * 1024;

/** Computes the expected history of an instance of the tally model. Deliberately shares no code with the model. */
export function replay({ commits }: Instance): Replayed[] {
  let state: State = { sum: 0, trail: 0 };
  return commits.flatMap((commit) =>
    commit.entries.map((entry, place) => {
      const after = fold(state, entry);
      ({ state } = after);
      return { entry, commit, place, after };
    }),
  );
}

function fold(before: State, { event, data, rejected, isErased }: HistoryEntry): After {
  // The schemas reject the erased data of a parked event.
  const isEmpty = isErased && rejected;
  const taken = isEmpty ? undefined : next(before, event.type, event.time, data as Data);
  const fits =
    taken &&
    // Timers count toward the size of the state, but they are small.
    JSON.stringify(taken.state).length <= maximumStateBytes &&
    !taken.sendings?.some((each) => JSON.stringify(each.data).length > maximumEventBytes);
  const { state, sendings = [], timers = [] } = fits ? taken : { state: before };
  const status = state.sum === 0 ? 'Empty' : state.sum >= 50 ? 'High' : 'Low';
  return { state, rejected: !fits, status, sendings, timers };
}

interface Data {
  readonly n?: unknown;
  readonly bytes?: unknown;
  readonly name?: unknown;
  readonly outcome?: unknown;
  readonly asks?: readonly Asked[];
  readonly secret?: string;
}

interface Asked {
  readonly tell?: string;
  readonly n?: number;
  readonly start?: string;
  readonly after?: number;
  readonly cancel?: string;
  readonly emit?: string;
  readonly model?: string;
  readonly transaction?: string;
  readonly data?: object;
  readonly replyTo?: boolean;
  readonly pad?: number;
}

function next(before: State, type: string, time: string, data: Data): Taken | undefined {
  const moved = (by: number) => ({ ...before, trail: (31 * before.trail + by) % 1_000_003 });
  const counted = (by: number) => ({
    ...moved(by),
    ...(secret && { secrets: (before.secrets ?? 0) + 1 }),
  });
  const inSeconds = (seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString();
  if (type === 'outcome.recorded') return { state: moved(String(data.outcome).length) };
  if (type === 'timer.fired') {
    const { name } = data;
    const rings = 1 + (before.rings ?? 0);
    const state = { ...moved(7), rings };
    if (name === 'refuse') return undefined;
    if (name === 'again' && rings <= 3) return { state, timers: [{ name, dueAt: inSeconds(5) }] };
    if (name !== 'tell') return { state };
    const told = { type: 'added', to: ['tally', 'T1'], data: { n: 1 }, replyTo: true } as const;
    return { state, sendings: [told] };
  }
  const { n, bytes, asks = [], secret } = data;
  if (type === 'filled' && typeof bytes === 'number')
    return { state: { ...before, filler: 'x'.repeat(bytes) } };
  if (typeof n !== 'number' || n < 0) return undefined;
  const effects = {
    sendings: asks.flatMap((asked) => sendingOf(asked)),
    timers: asks.flatMap(({ start, cancel, after }): TimerChange[] => {
      if (start) return [{ name: start, dueAt: inSeconds(after!) }];
      return cancel ? [{ name: cancel }] : [];
    }),
  };
  if (type === 'added') return { state: { ...counted(n + 1), sum: before.sum + n }, ...effects };
  if (type === 'taken' && before.sum >= n)
    return { state: { ...counted(n + 1), sum: before.sum - n }, ...effects };
  return undefined;
}

function sendingOf({ tell, n, emit, model, transaction, data, replyTo, pad }: Asked): Sending[] {
  if (tell) return [{ type: tell, to: 'people', data: { n } }];
  if (!emit) return [];
  const filler = pad ? { filler: 'y'.repeat(pad) } : {};
  const to = [model!, transaction!] as const;
  return [{ type: emit, to, data: { ...data, ...filler }, replyTo: replyTo! }];
}
