import { Chance } from '../../../src/common/chance.ts';
import { type Fault, planFaults } from './faults.ts';
import { garbage } from './garbage.ts';
import { nameFrom } from './names.ts';
import { type PlannedEvent, type Put, putOf } from './put.ts';
import { type Draft, scripts } from './scripts.ts';

/**
 * The plan of a soak, which depends only on the seed and the duration. Runs of a plan differ only in the timing of the
 * service.
 */
export interface Plan {
  readonly seed: number;
  readonly durationMs: number;
  /** The records of each producer, in order. All records of an instance have the same producer. */
  readonly producers: readonly (readonly Put[])[];
  readonly faults: readonly Fault[];
  /** The number of repairs of the model `fragile`. The last repair follows the first audit. */
  readonly waves: number;
}

const producerCount = 8;
const garbagePerMinute = 30;
const floodsPerMinute = 0.5;
/**
 * The maximum length of a customer's name. The timer of a hold has a name that contains the customer's name, and would
 * be invalid with a longer name.
 */
const longestWho = 188;

export function createPlan(seed: number, minutes: number): Plan {
  const chance = new Chance(seed);
  const durationMs = minutes * 60_000;
  const waves = Math.max(2, Math.round(minutes / 2));
  const faults = planFaults(chance, durationMs, waves);
  const customers = Array.from({ length: 40 }, (_, n) => nameFrom(chance, `c${n}`, longestWho));
  const stories: Put[][] = [];
  for (const [model, { script, perMinute }] of Object.entries(scripts))
    for (let n = 0; n < Math.ceil(perMinute * minutes); n++) {
      const drafts = script(chance, { customers, waves });
      stories.push(story(chance, { model, name: `${model}-${n}` }, drafts, durationMs));
    }
  for (let n = 0; n < Math.ceil(floodsPerMinute * minutes); n++)
    stories.push(...flood(chance, n, durationMs));
  stories.push(...resentLate(chance, stories, durationMs));
  const producers = Array.from({ length: producerCount }, (): Put[] => []);
  for (const puts of stories) producers[producerOf(puts)]!.push(...puts);
  for (let n = 0; n < Math.ceil(garbagePerMinute * minutes); n++) {
    const how = { at: chance.whole(0, durationMs), isRetried: chance.happens(0.9) };
    producers[n % producerCount]!.push(garbage(chance, `${seed}-garbage-${n}`, how));
  }
  return { seed, durationMs, waves, faults, producers: producers.map(byTime) };
}

/** Returns the records of an instance, with repetitions. */
function story(
  chance: Chance,
  { model: modelid, name }: { readonly model: string; readonly name: string },
  drafts: readonly Draft[],
  durationMs: number,
): Put[] {
  const lasts = chance.pick([1_000, 10_000, 60_000]);
  const step = lasts / drafts.length;
  let at = chance.whole(0, Math.max(0, durationMs - lasts));
  const way = chance.pick(['api', 'kinesis'] as const);
  const transactionid = nameFrom(chance, name);
  const sent: PlannedEvent[] = [];
  return drafts.flatMap(({ type, data, time }, n) => {
    at = Math.min(at + chance.fraction() * 2 * step, durationMs);
    const source = chance.pick(['a', 'b', 'crm/é']);
    const id = nameFrom(chance, `${name}.e${n}`);
    const event = { id, source, type, modelid, transactionid, ...(time && { time }), data };
    sent.push(event);
    const put = putOf(event, { at, way, isRetried: chance.happens(0.97) });
    return chance.happens(0.1) ? [put, again(chance, chance.pick(sent), { at, way })] : [put];
  });
}

/**
 * Repeats an event, sometimes with different data. The repetition has the same `source` and `id`, which makes it a
 * duplicate.
 */
function again(chance: Chance, event: PlannedEvent, how: Pick<Put, 'at' | 'way'>): Put {
  const data = chance.happens(0.2) ? { n: 7, changed: true } : event.data;
  return putOf({ ...event, data }, { ...how, isRetried: true });
}

/** Returns 1,000 to 3,000 events that are sent at the same time, for one or many instances. */
function flood(chance: Chance, n: number, durationMs: number): Put[][] {
  const at = chance.whole(0, durationMs);
  const count = chance.pick([1, 1, 50, 500]);
  const length = Math.ceil(chance.whole(1_000, 3_000) / count);
  const way = chance.pick(['api', 'kinesis', 'api'] as const);
  return Array.from({ length: count }, (_, instance) =>
    Array.from({ length }, (__, each) => {
      const event = {
        id: `${n}.${instance}.${each}`,
        source: 'flood',
        type: 'counted',
        modelid: 'fragile',
      };
      const data = { n: chance.whole(0, 999) };
      const transactionid = `flood-${n}-${instance}`;
      return putOf({ ...event, transactionid, data }, { at, way, isRetried: true });
    }),
  );
}

/** Returns events of any age that are resent at the end. */
function resentLate(chance: Chance, stories: readonly Put[][], durationMs: number): Put[][] {
  return chance
    .shuffled(stories)
    .slice(0, Math.ceil(stories.length / 4))
    .flatMap((puts) => {
      const { event, way } = chance.pick(puts);
      return event ? [[again(chance, event, { at: durationMs, way })]] : [];
    });
}

/** Returns the number of an instance's producer, which depends only on the instance's name. */
function producerOf([first]: readonly Put[]): number {
  const sum = Array.from(first!.partitionKey).reduce((all, each) => all + each.codePointAt(0)!, 0);
  return sum % producerCount;
}

const byTime = (puts: readonly Put[]): Put[] => puts.toSorted((a, b) => a.at - b.at);
