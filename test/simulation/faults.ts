import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { emptySeen } from '../../src/core/history/seen.ts';
import type { Item } from '../support/aws-in-memory/dynamodb-expressions.ts';
import { itemsIn } from './dynamodb-client.ts';
import type { Faults, Sabotage } from './sabotage.ts';
import {
  dispatching,
  done,
  replaced,
  seeing,
  seeingCommit,
  sending,
  storing,
} from './tampering.ts';
import type { Weather } from './weather.ts';

/** The part of an update of a status row that prevents its return to an older version. */
const whereOlder = ' AND "version" < ?';

/** Limits that are so low that a few events result in runs of several levels. */
const manyRuns: Sabotage = { scenario: { seenLimits: { recent: 3, fanout: 2 } } };

/** Probabilities that make processes often do the same work at the same time. */
const overlapping: Partial<Weather> = { abandoned: 0.3, slow: 0.9, longest: 5_000 };

/** Faults on the path of an event from the stream to the history of its instance. */
export const faults: Faults = {
  'a commit is written without its condition': [
    {
      weather: overlapping,
      client: (client) => ({
        send: async (command) => {
          const items = itemsIn(command);
          if (!items[0]?.sk?.S?.startsWith('COMMIT#')) return client.send(command);
          const put = (Item: Item) =>
            client.send(new PutItemCommand({ TableName: 'instances', Item }));
          return { Responses: await Promise.all(items.map(put)) };
        },
      }),
    },
    /is lost|was found instead of/,
  ],
  'a conflict is treated as a success': [
    storing((store) => ({
      commit: async (commits) =>
        (await store.commit(commits)).map((each) =>
          'error' in each ? each : { value: 'committed' },
        ),
    })),
    /is lost|was found instead of/,
  ],
  'the times of an instance come from its commits instead of its events': [
    storing((store) => ({
      commit: (commits) =>
        store.commit(
          commits.map((each) => ({
            ...each,
            startedAt: each.startedAt && each.at,
            statusSince: each.at,
          })),
        ),
    })),
    /has the wrong startedAt/,
  ],
  'duplicates are not recognized': [
    seeingCommit((commit) => ({ ...commit, seen: emptySeen })),
    /is in the history twice/,
  ],
  'a flush forgets the events that it flushes': [
    {
      ...manyRuns,
      ...storing((store) => ({
        flushSeen: async (heads, limits) =>
          (await store.flushSeen(heads, limits)).map((each) =>
            'error' in each ? each : { value: { ...each.value, seen: emptySeen } },
          ),
      })),
    },
    /is in the history twice/,
  ],
  'only the newest run of seen events is searched': [
    {
      ...manyRuns,
      ...storing((store) => ({
        findFlushed: (lookups) =>
          store.findFlushed(
            lookups.map(({ head, fingerprints }) => ({
              head: { ...head, seen: { ...head.seen, runs: head.seen.runs.slice(0, 1) } },
              fingerprints,
            })),
          ),
      })),
    },
    /is in the history twice/,
  ],
  'the pages of a merged run are not written': [
    {
      ...manyRuns,
      client: (client) => ({
        ...client,
        send: async (command) => {
          const { Statements } = (command as { input: object }).input as {
            Statements?: { Parameters?: { S?: string }[] }[];
          };
          const isMerged = Statements?.every(({ Parameters }) =>
            Parameters?.some(({ S }) => S !== undefined && /^SEEN#\d+#(?!1#)/.test(S)),
          );
          return isMerged ? { Responses: Statements!.map(() => ({})) } : client.send(command);
        },
      }),
    },
    /is parked|is lost/,
  ],
  'a commit does not contain the runs of seen events': [
    {
      ...manyRuns,
      ...storing((store) => ({
        commit: (commits) =>
          store.commit(commits.map((each) => ({ ...each, seen: { ...each.seen, runs: [] } }))),
      })),
    },
    /is in the history twice/,
  ],
  'checkpoints are ahead of processing': [
    {
      busyCounters: true,
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
    { dispatch: (run) => async (records, deadline) => (await run(records, deadline), []) },
    /is lost/,
  ],
  'only the last failed record is reported': [
    { dispatch: (run) => async (records, deadline) => (await run(records, deadline)).slice(-1) },
    /is lost|was found instead of/,
  ],
  'a batch is processed in reverse order': [
    { dispatch: (run) => (records, deadline) => run(records.toReversed(), deadline) },
    /was found instead of/,
  ],
  'the status row is not written': [
    storing(() => ({ writeStatus: (commits) => Promise.resolve(done(commits)) })),
    /status row|the row has/,
  ],
  'the status row can return to an older version': [
    {
      weather: overlapping,
      ...sending((input) => {
        if (input.ConditionExpression?.includes('#version <')) delete input.ConditionExpression;
        for (const each of input.Statements ?? [])
          if (each.Statement?.endsWith(whereOlder)) {
            each.Statement = each.Statement.slice(0, -whereOlder.length);
            each.Parameters?.pop();
          }
      }),
    },
    /the row has/,
  ],
  'a redelivery does not complete the status row': [
    storing((store) => {
      const made = new Set<unknown>();
      return {
        commit(commits) {
          for (const commit of commits) made.add(commit);
          return store.commit(commits);
        },
        writeStatus: async (heads) => {
          const answers = store.writeStatus(heads.filter((head) => made.has(head)));
          const left = (await answers).values();
          return heads.map((head) => (made.has(head) ? left.next().value! : { value: undefined }));
        },
      };
    }),
    /status row|the row has/,
  ],
  'parked events are applied out of order': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, {
        oldest: async (...args) => (await parking.oldest(...args)).toReversed(),
      }),
    })),
    /was found instead of|without a fault/,
  ],
  'later events are not queued behind parked events': [
    seeing(({ commit }) => ({ commit, hasParked: false })),
    /was found instead of/,
  ],
  'a query of an instance misses events that were just parked': [
    {
      scenario: { replicaLagMs: 1_000 },
      ...sending((input) => {
        if (input.Limit === 2) input.ConsistentRead = false;
      }),
    },
    /was found instead of/,
  ],
  'a batch read of status rows misses events that were just parked': [
    {
      scenario: { replicaLagMs: 1_000 },
      ...sending(({ RequestItems = {} }) => {
        for (const read of Object.values(RequestItems))
          if (read.ProjectionExpression?.includes('#version, #parked')) read.ConsistentRead = false;
      }),
    },
    /was found instead of/,
  ],
  'a redrive dequeues events before it applies them': [
    dispatching(({ parking, deadLetters }) => ({
      parking: replaced(parking, {
        oldest: async (instance, limit) => {
          const page = await parking.oldest(instance, limit);
          if (limit === 1) return page;
          await deadLetters.removeParked(page);
          await parking.remove(
            instance,
            page.map(({ position }) => position),
          );
          return page;
        },
      }),
    })),
    /is lost/,
  ],
  'a redrive does not delete the dead letters': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, {
        remove: () => Promise.resolve(),
        removeParked: () => Promise.resolve(),
      }),
    })),
    /belongs to an event that is not parked/,
  ],
  'an event that could not be parked is treated as parked': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, {
        park: async (events) => [...(await parking.park(events.slice(1))), { value: 'parked' }],
      }),
    })),
    /is lost|belongs to an event that is not parked/,
  ],
  'a dead letter that could not be stored is treated as stored': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, {
        put: async (letters) => [...(await deadLetters.put(letters.slice(1))), ...done([0])],
      }),
    })),
    /has no dead letter|is lost|is not a dead letter/,
  ],
  'dead letters are lost': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, {
        put: (letters) =>
          letters[0]!.parked ? deadLetters.put(letters) : Promise.resolve(done(letters)),
      }),
    })),
    /is not a dead letter|has no model and is not a dead letter/,
  ],
  'a part of the dead letter of a large record is not stored': [
    sending(({ Item: item }) => !item?.pk?.S?.startsWith('PART#')),
    /has different bytes/,
  ],
  'the count of parked events is written although the queue changed in the meantime': [
    {
      longQueue: 15,
      weather: overlapping,
      ...sending((input) => {
        if (input.ConditionExpression?.includes('queueVersion')) delete input.ConditionExpression;
      }),
    },
    /the row counts/,
  ],
  'the dead letters of parked events expire': [
    sending(({ Statements = [] }) => {
      for (const each of Statements)
        if (
          each.Statement?.startsWith('INSERT INTO "letters"') &&
          !/expiresAt/.test(each.Statement)
        ) {
          each.Statement = each.Statement.replace('{', "{'expiresAt': ?, ");
          each.Parameters?.unshift({ N: '1' });
        }
    }),
    /of a parked event expires/,
  ],
  'a long redrive is not continued': [
    {
      longQueue: 600,
      // A failure would repeat the redrive after all failures end, which would hide this fault.
      weather: { slow: 0.9, crash: 0, refused: 0, lost: 0, abandoned: 0 },
      ...dispatching(() => ({ stream: { put: () => Promise.resolve() } })),
    },
    /is the oldest parked event, without a fault/,
  ],
  'parked events are not counted in the status row': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, {
        finish: () => Promise.resolve('finished'),
        recount: () => Promise.resolve(),
      }),
    })),
    /the row counts/,
  ],
  'an outage is treated as a fault of the model': [
    dispatching(({ models, retry }) => ({
      retry: { ...retry, attempts: 1 },
      models: {
        transition: async (...args) => {
          const invocation = await models.transition(...args);
          return invocation.kind === 'unavailable' ? { ...invocation, kind: 'failed' } : invocation;
        },
      },
    })),
    /is parked unnecessarily/,
  ],
  'a rejected event is stored as applied': [
    sending(({ Item: item }) => {
      if (item?.entries) item.entries = { S: item.entries.S!.replaceAll(/"reason":"[^"]*",/g, '') };
    }),
    /is wrongly applied/,
  ],
  "the MACs of Milepost's own events are not checked": [
    {
      forgeries: true,
      ...dispatching(() => ({ macs: { findFlaw: () => Promise.resolve(undefined) } })),
    },
    /is not a dead letter/,
  ],
  'any MAC is accepted': [
    {
      forgeries: true,
      ...dispatching(() => ({
        macs: {
          findFlaw: (record) =>
            Promise.resolve(Buffer.from(record).includes('milepostmac') ? undefined : 'none'),
        },
      })),
    },
    /is not a dead letter/,
  ],
  'an event is treated as forged if the keys cannot be read': [
    {
      forgeries: true,
      ...dispatching(({ macs }) => ({
        macs: { findFlaw: (record) => macs.findFlaw(record).catch(() => 'not read') },
      })),
    },
    /is wrongly a dead letter/,
  ],
};
