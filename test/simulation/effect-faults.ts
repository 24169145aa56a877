import type { FireTimersDependencies } from '../../src/clock/fire-timers.ts';
import { compareDueAt } from '../../src/core/effects/timer.ts';
import type { Commit } from '../../src/core/history/commit.ts';
import type { HistoryEntry } from '../../src/core/history/history-entry.ts';
import type { EventStream } from '../../src/stream/event-stream.ts';
import type { Faults, Sabotage } from './sabotage.ts';
import { done, seeingCommit, storing } from './tampering.ts';

/** Replaces the `put` of the stream that instances send events to. */
const sendingBy = (other: (stream: EventStream) => EventStream['put']): Sabotage => ({
  model: ({ stream }) => ({ stream: { put: other(stream) } }),
});

/** Makes instances send only the events that a predicate accepts. */
const sendingOnly = (isSent: (event: { readonly type: string }) => boolean): Sabotage =>
  sendingBy(
    (stream) => (records) =>
      stream.put(
        records.filter(({ data }) =>
          isSent(JSON.parse(Buffer.from(data).toString()) as { type: string }),
        ),
      ),
  );

/** Changes the content of commits after folding. */
const committing = (change: (commit: Commit, before: Commit | undefined) => Commit): Sabotage =>
  storing((store) => ({
    commit: async (commits) => {
      const before = await store.readConsistent(commits);
      const changed = commits.map((commit, index) => {
        const answer = before[index]!;
        return change(commit, 'error' in answer ? undefined : answer.value.commit);
      });
      return store.commit(changed);
    },
  }));

/** Returns the commit with some of the previous commit's timers, although they are no longer running. */
function keepingTimers(
  commit: Commit,
  before: Commit | undefined,
  isKept: (id: string) => boolean,
): Commit {
  const names = new Set(commit.timers.map(({ name }) => name));
  const gone = before?.timers.filter((timer) => !names.has(timer.name)) ?? [];
  const kept = gone.filter(({ name, run }) => isKept(`timer/${name}@${run}`));
  return { ...commit, timers: [...commit.timers, ...kept].toSorted(compareDueAt) };
}

const fires = ({ entries }: Commit, id: string) => entries.some(({ event }) => event.id === id);

const clocking = (
  other: (environment: FireTimersDependencies) => Partial<FireTimersDependencies>,
): Sabotage => ({
  clock: (environment) => ({ ...environment, ...other(environment) }),
});

/** Faults in the events, replies, timers, and notifications that follow from a history. */
export const effectFaults: Faults = {
  'events that instances send are dropped': [
    sendingOnly(({ type }) => type === 'outcome.recorded'),
    /was never sent/,
  ],
  'events that could not be sent are treated as sent': [
    sendingBy((stream) => (records) => stream.put(records).catch(() => undefined)),
    /was never sent/,
  ],
  'events that are resent have new ids': [
    seeingCommit((commit) => ({ ...commit, entries: shifted(commit) })),
    /was put, but no commit sent it/,
  ],
  "a redelivery does not complete an older commit's effects": [
    {
      weather: { crash: 0.04, refused: 0.1 },
      ...storing((store) => ({
        async commitsFrom(key, version, limit) {
          const { commits, more } = await store.commitsFrom(key, version, limit);
          const bare = (commit: Commit) => ({
            ...commit,
            entries: commit.entries.map(withoutEffects),
          });
          return { commits: commits.map(bare), more };
        },
      })),
    },
    /was never sent/,
  ],
  'events are sent out of order': [
    sendingBy((stream) => (records) => stream.put(records.toReversed())),
    /was sent before its predecessor/,
  ],
  'replies are dropped': [
    sendingOnly(({ type }) => type !== 'outcome.recorded'),
    /the reply .* was never sent/,
  ],
  'replies about duplicates are dropped': [
    sendingBy(
      (stream) => (records) =>
        stream.put(records.filter(({ data }) => !Buffer.from(data).includes('"duplicate"'))),
    ),
    /no reply reports/,
  ],
  'notifications are not published': [
    { model: () => ({ notifier: { publish: () => Promise.resolve() } }) },
    /was published with 0 ids/,
  ],
  'a notification that its stream rejected is treated as put': [
    {
      model: ({ notifier }) => ({
        notifier: {
          publish: (notifications) => notifier.publish(notifications).catch(() => undefined),
        },
      }),
    },
    /was published with 0 ids/,
  ],
  'notifications are put on their stream out of order': [
    {
      model: ({ notifier }) => ({
        notifier: { publish: (notifications) => notifier.publish(notifications.toReversed()) },
      }),
    },
    /was put on the stream after a later notification/,
  ],
  'the publisher acknowledges records that the bus has not accepted': [
    { publishing: (publish) => async (records, by) => (await publish(records, by), []) },
    /was published with 0 ids|did not become a dead letter/,
  ],
  'the publisher skips a notification that the bus temporarily rejected': [
    {
      publisher: ({ bus }) => ({
        bus: {
          publish: async (notifications, deadline) => {
            const answers = await bus.publish(notifications, deadline);
            return answers.map(() => ({ value: undefined }));
          },
        },
      }),
    },
    /was published with 0 ids/,
  ],
  'notifications are published out of order': [
    {
      publisher: ({ bus }) => ({
        bus: {
          publish: async (notifications, deadline) =>
            (await bus.publish(notifications.toReversed(), deadline)).toReversed(),
        },
      }),
    },
    /was published before .* but not again/,
  ],
  'notifications that the bus permanently rejects are dropped': [
    {
      publisher: () => ({
        deadLetters: { put: (letters) => Promise.resolve(done(letters)) },
      }),
    },
    /did not become a dead letter|was published with 0 ids/,
  ],
  'a canceled timer keeps running': [
    committing((commit, before) => keepingTimers(commit, before, (id) => !fires(commit, id))),
    /has the timers/,
  ],
  'a fired timer keeps running': [
    committing((commit, before) => keepingTimers(commit, before, (id) => fires(commit, id))),
    /has the timers/,
  ],
  'a timer is identified by its name alone': [
    committing((commit) => ({
      ...commit,
      timers: commit.timers.map((timer) => ({ ...timer, run: 'any' })),
    })),
    /has the run id of an earlier timer/,
  ],
  'timers are lost when the next event is applied': [
    seeingCommit((commit) => ({ ...commit, timers: [] })),
    /has the timers/,
  ],
  'the status row has no due time': [
    storing((store) => ({
      writeStatus: (commits) => store.writeStatus(commits.map((each) => ({ ...each, timers: [] }))),
    })),
    /did not fire/,
  ],
  'the status row has no results of deadlines': [
    {
      ...storing((store) => ({
        writeStatus: (commits) =>
          store.writeStatus(commits.map((each) => ({ ...each, deadlines: [] }))),
      })),
      deadlines: true,
    },
    /the row has deadlines undefined instead of /,
  ],
  'the clock fires timers before they are due': [
    clocking(({ clock }) => ({ clock: { ...clock, now: () => clock.now() + 10_000 } })),
    /fired before it was due/,
  ],
  'the clock does not mark instances that became late': [
    {
      ...clocking(({ index }) => ({
        index: {
          partitions: () => index.partitions(),
          dueInstances: (...given) => index.dueInstances(...given),
          readTimers: (...given) => index.readTimers(...given),
          nextDue: (...given) => index.nextDue(...given),
          record: (visits) =>
            index.record(visits.map((visit) => ({ ...visit, lateSince: undefined }))),
        },
      })),
      deadlines: true,
    },
    /the row is not late/,
  ],
  'a message of the wake-up queue fires timers before they are due': [
    {
      scenario: { queue: true },
      wakeup: (environment) => ({
        ...environment,
        clock: { ...environment.clock, now: () => environment.clock.now() + 30_000 },
      }),
    },
    /fired before it was due/,
  ],
  'the clock postpones timers that it never fired': [
    clocking(() => ({ stream: { put: () => Promise.resolve() } })),
    /did not fire/,
  ],
};

const withoutEffects = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  event: { ...entry.event, replyTo: undefined },
  effects: [],
});

/** Returns the entries of a commit, each with an additional effect at the front. */
function shifted({ entries }: Commit): Commit['entries'] {
  const more = { kind: 'notify', type: 'More', data: {} } as const;
  return entries.map((entry) => ({ ...entry, effects: [more, ...entry.effects] }));
}
