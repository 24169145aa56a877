import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Commit } from '../../src/core/commit.ts';
import { nothingSeen } from '../../src/core/seen.ts';
import type { DispatchEnvironment } from '../../src/service/dispatch.ts';
import type { InstanceStore, Newest, Settled } from '../../src/service/ports.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import type { Sabotage } from './sabotage.ts';

/** The input of a command, which a fault may change on its way to DynamoDB. */
interface Input {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
}

/** Changes what is sent to DynamoDB; where `change` gives false, nothing is sent at all. */
const sending = (change: (input: Input) => boolean | void): Sabotage => ({
  client: (client) =>
    ({
      send: (command: { input: Input }) =>
        change(command.input) === false ? Promise.resolve({}) : client.send(command as never),
    }) as unknown as DynamoDBClient,
});

/** Puts other methods in place of a store's own. */
const storing = (other: (store: InstanceStore) => Partial<InstanceStore>): Sabotage => ({
  instances: (store) => replaced(store, other(store)),
});

const dispatching = (
  other: (environment: DispatchEnvironment) => Partial<DispatchEnvironment>,
): Sabotage => ({ dispatcher: (environment) => ({ ...environment, ...other(environment) }) });

/** Has a model's function see something else as an instance's newest commit. */
const seeing = (change: (newest: Newest) => Newest): Sabotage =>
  storing((store) => ({
    newest: async (keys) =>
      (await store.newest(keys)).map((each) =>
        'error' in each ? each : { value: change(each.value) },
      ),
  }));

const seeingCommit = (change: (commit: Commit) => Commit): Sabotage =>
  seeing(({ commit, hasParked }) => ({ commit: commit && change(commit), hasParked }));

function replaced<Port extends object>(port: Port, others: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(name in others ? others : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const isParked = (item?: Item) => item?.sk?.S?.startsWith('PARKED#') ?? false;
const backwards = (text: string) => text.split('').toReversed().join('');
const done = (results: readonly unknown[]): Settled<void>[] =>
  results.map(() => ({ value: undefined }));

/** What each fault does wrong, and a finding that gives it away. */
export const faults: Readonly<Record<string, readonly [Sabotage, RegExp]>> = {
  'a commit is written without its condition': [
    sending((input) => {
      if (input.Item?.sk?.S?.startsWith('COMMIT#')) delete input.ConditionExpression;
    }),
    /is lost|stands in place of/,
  ],
  'a lost condition counts as won': [
    storing((store) => ({
      commit: async (commits) =>
        (await store.commit(commits)).map((each) =>
          'error' in each ? each : { value: 'committed' },
        ),
    })),
    /is lost|stands in place of/,
  ],
  'duplicates are not recognised': [
    seeingCommit((commit) => ({ ...commit, seen: nothingSeen })),
    /is in the history twice/,
  ],
  'what came before the latest 1,000 events is forgotten': [
    {
      flood: true,
      ...seeingCommit((commit) => {
        const { current } = commit.seen;
        return { ...commit, seen: { total: current.length, current, previous: [] } };
      }),
    },
    /is in the history twice/,
  ],
  'redelivered records are told by their names alone': [
    { flood: true, ...seeingCommit((commit) => ({ ...commit, marks: {} })) },
    /is in the history twice/,
  ],
  'checkpoints go too far': [
    {
      checkpoints: (store) =>
        replaced(store, {
          save: (positions) =>
            store.save(
              new Map(
                [...positions].map(([shard, position]) => [
                  shard,
                  position.at === 'AFTER_SEQUENCE_NUMBER'
                    ? {
                        ...position,
                        sequenceNumber: String(BigInt(position.sequenceNumber) + 900n),
                      }
                    : position,
                ]),
              ),
            ),
        }),
    },
    /is lost/,
  ],
  'success is reported for records that failed': [
    { dispatch: (run) => async (records) => (await run(records), []) },
    /is lost/,
  ],
  'only the last of the records that failed is reported': [
    { dispatch: (run) => async (records) => (await run(records)).slice(-1) },
    /is lost|stands in place of/,
  ],
  'a batch is taken from its end': [
    { dispatch: (run) => (records) => run(records.toReversed()) },
    /stands in place of/,
  ],
  'the status row is not written': [
    storing(() => ({ writeStatus: (commits) => Promise.resolve(done(commits)) })),
    /status row|the row has/,
  ],
  'the status row may go back': [
    sending((input) => {
      if (input.ConditionExpression?.includes('#version <')) delete input.ConditionExpression;
    }),
    /the row has version/,
  ],
  'a redelivery does not complete the status row': [
    storing((store) => ({
      writeStatus: async (commits) => {
        await store.writeStatus(commits);
        return done(commits);
      },
    })),
    /status row|the row has/,
  ],
  'events are parked in no order': [
    sending(({ Item: item, Key: key }) => {
      for (const each of [item, key])
        if (each && isParked(each)) each.sk = { S: `PARKED#${backwards(each.sk!.S!)}` };
    }),
    /stands in place of|for no fault/,
  ],
  'later events do not wait behind those that are parked': [
    seeing(({ commit }) => ({ commit, hasParked: false })),
    /stands in place of/,
  ],
  'a redrive takes events out before it applies them': [
    dispatching(({ parking, deadLetters }) => ({
      parking: replaced(parking, {
        oldest: async (instance, limit) => {
          const page = await parking.oldest(instance, limit);
          if (limit === 1) return page;
          for (const { letterId, position } of page) {
            await deadLetters.remove(letterId);
            await parking.remove(instance, position);
          }
          return page;
        },
      }),
    })),
    /is lost/,
  ],
  'a redrive leaves the letters': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, { remove: () => Promise.resolve() }),
    })),
    /is of an event that is not parked/,
  ],
  'an event that could not join the queue counts as parked': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, { park: (event) => parking.park(event).catch(() => undefined) }),
    })),
    /is lost|is of an event that is not parked/,
  ],
  'a letter that could not be put counts as put': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, {
        put: async (letters) => done(await deadLetters.put(letters)),
      }),
    })),
    /has no letter|is lost|is no dead letter/,
  ],
  'dead letters are lost': [
    sending(({ Item: item }) => item?.parked !== undefined || !item?.pk?.S?.startsWith('DEAD#')),
    /is no dead letter|has no model and is no dead letter/,
  ],
  'a large record loses a part': [
    sending(({ Item: item }) => !item?.pk?.S?.startsWith('PART#')),
    /has other bytes/,
  ],
  'what is parked is not counted': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, { writeCount: () => Promise.resolve() }),
    })),
    /the row counts/,
  ],
  'an outage counts as a fault of the model': [
    dispatching(({ models, retry }) => ({
      retry: { ...retry, attempts: 1 },
      models: {
        transition: async (...args) => {
          const invocation = await models.transition(...args);
          return invocation.kind === 'unavailable' ? { ...invocation, kind: 'failed' } : invocation;
        },
      },
    })),
    /is parked and need not be/,
  ],
  'a rejected event is kept as applied': [
    sending(({ Item: item }) => {
      if (item?.entries) item.entries = { S: item.entries.S!.replaceAll(/"reason":"[^"]*",/g, '') };
    }),
    /is applied, and should not be/,
  ],
};
