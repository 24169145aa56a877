import type { UpdateItemInput } from '@aws-sdk/client-dynamodb';
import type { Marker } from '../../src/counter/markers.ts';
import type { Faults, Sabotage } from './sabotage.ts';

/** Returns a fault that changes counter updates. */
const updating = (change: (input: UpdateItemInput) => UpdateItemInput | undefined): Sabotage => ({
  counters: (client) => ({
    ...client,
    updateItem: (input) => {
      const changed = change(input);
      return changed ? client.updateItem(changed) : Promise.resolve({});
    },
  }),
});

const alwaysLate = (markers: ReadonlyMap<string, Marker>) =>
  new Map([...markers].map(([instance, marker]) => [instance, { ...marker, isLate: true }]));

const slow = { slow: 0.9, longest: 1_000 };

const finding = /^\w+: the counter /;

/** Faults in the counters of instances and in their rebuilds. */
export const countingFaults: Faults = {
  'a counter is updated without its condition': [
    updating((input) => ({ ...input, ConditionExpression: undefined })),
    finding,
  ],
  'a counter does not store its position in a shard': [
    updating((input) =>
      input.UpdateExpression === 'SET #shard = :counted'
        ? undefined
        : { ...input, UpdateExpression: input.UpdateExpression!.replace(/^SET .* ADD/, 'ADD') },
    ),
    finding,
  ],
  'a counter is not updated if the changes in a batch cancel each other out': [
    {
      busyCounters: true,
      weather: slow,
      ...updating((input) =>
        input.UpdateExpression === 'SET #shard = :counted' ? undefined : input,
      ),
    },
    finding,
  ],
  'a counter is not decreased when a row no longer belongs to it': [
    {
      rows: (changes) =>
        changes.map(({ before, ...change }) => ({
          ...change,
          before: before && { ...before, counters: [] },
        })),
    },
    finding,
  ],
  'the counters keep the results of deadlines that a row no longer has': [
    {
      deadlines: true,
      rows: (changes) =>
        changes.map(({ before, ...change }) => ({
          ...change,
          before: before && {
            ...before,
            counters: before.counters.filter(({ group }) => group !== 'deadlines'),
          },
        })),
    },
    /^\w+: the counter \w+ deadlines /,
  ],
  'changes are not redelivered if the update of a counter fails': [
    {
      counting: ({ counters }) => ({
        counters: {
          add: async (...given) => {
            await counters.add(...given);
            return [];
          },
        },
      }),
    },
    finding,
  ],
  'a rebuild counts rows that already have a marker': [
    {
      rebuild: ({ markers }) => ({
        markers: {
          ...markers,
          claim: async (generation, wanted) => {
            await markers.claim(generation, wanted);
            return new Map(wanted.map((marker) => [marker.instance, marker]));
          },
        },
      }),
    },
    finding,
  ],
  'a repeated attempt of a rebuild scans a page again': [
    {
      busyCounters: true,
      weather: { ...slow, crash: 0.04, refused: 0.1 },
      rebuild: () => ({
        pages: {
          read: () => Promise.resolve(undefined),
          put: () => Promise.resolve('stored'),
        },
      }),
    },
    finding,
  ],
  'markers ignore that an instance became late': [
    {
      deadlines: true,
      counting: ({ markers }) => ({
        markers: {
          claim: async (...given) => alwaysLate(await markers.claim(...given)),
          read: async (...given) => alwaysLate(await markers.read(...given)),
        },
      }),
    },
    finding,
  ],
  'changes during a rebuild are counted regardless of markers': [
    {
      counting: ({ readGenerations }) => ({
        readGenerations: async () => {
          const { current, next } = await readGenerations();
          return { current: { number: current.number }, next: next && { number: next.number } };
        },
      }),
    },
    finding,
  ],
  'changes during a rebuild are not counted in the new counters': [
    {
      busyCounters: true,
      weather: slow,
      counting: ({ readGenerations }) => ({
        readGenerations: async () => ({ current: (await readGenerations()).current }),
      }),
    },
    finding,
  ],
};
