import { DDSketch } from '@datadog/sketches-js';
import type { StepTime } from './step-times.ts';

/** The maximum relative error of an estimate. */
const relativeAccuracy = 0.05;
/**
 * The number of a step's samples at which the weight of the existing samples is halved. Without halving, new samples
 * would have little effect.
 */
const halvingCount = 10_000;
/**
 * The maximum length of the stored form as JSON, in characters. The compressed form must fit into a DynamoDB item of
 * 400 KB. Steps with the fewest samples are omitted first. A model can have any number of statuses, and each status is
 * a step.
 */
const maximumStoredLength = 700 * 1024;

/**
 * The stored form of step durations: for each step, the number of zero durations, followed by the key and count of
 * each bin.
 */
export type StoredStepDurations = Readonly<Record<string, readonly number[]>>;

/** The duration of a step, in milliseconds: half of the instances take at most `p50`, and 90% take at most `p90`. */
export interface DurationEstimate {
  /** The number of samples. Older samples have less weight. */
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
}

/** The distribution of a step's durations, as a histogram shows it. */
export interface DurationDistribution {
  /** The end of the last interval, in milliseconds. A few samples may be longer. */
  readonly upTo: number;
  /**
   * The share of the samples in each of several equal intervals from 0 to `upTo`. The last interval includes longer
   * durations. The shares add up to 1.
   */
  readonly shares: readonly number[];
}

/**
 * A model's step durations: one quantile sketch for each step. Sketches can be merged in any order.
 *
 * @see https://www.vldb.org/pvldb/vol12/p2195-masson.pdf DDSketch
 */
export class StepDurations {
  readonly #sketches = new Map<string, DDSketch>();

  /**
   * Restores stored step durations. Halves the counts of a step with many samples and rounds them down, so rare
   * durations disappear. Without rounding, every bin that ever counted a sample would remain, with an ever longer
   * fraction.
   */
  static from(stored: StoredStepDurations): StepDurations {
    const stepDurations = new StepDurations();
    for (const [step, [zeros = 0, ...bins]] of Object.entries(stored)) {
      const sketch = stepDurations.#sketch(step);
      const total = bins.reduce((sum, value, i) => (i % 2 === 1 ? sum + value : sum), zeros);
      const weighted = (count: number) => (total >= halvingCount ? Math.floor(count / 2) : count);
      const accept = (value: number, count: number) => {
        if (count > 0) sketch.accept(value, count);
      };
      accept(0, weighted(zeros));
      for (let i = 0; i < bins.length; i += 2)
        accept(sketch.mapping.value(bins[i]!), weighted(bins[i + 1]!));
    }
    return stepDurations;
  }

  get isEmpty(): boolean {
    return this.#sketches.size === 0;
  }

  add(times: readonly StepTime[]): void {
    for (const { step, ms } of times) this.#sketch(step).accept(ms);
  }

  merge(other: StepDurations): void {
    for (const [step, sketch] of other.#sketches) this.#sketch(step).merge(sketch);
  }

  toStored(): StoredStepDurations {
    const stored: Record<string, readonly number[]> = {};
    let left = maximumStoredLength;
    for (const [step, sketch] of [...this.#sketches].toSorted(
      ([, a], [, b]) => b.count - a.count,
    )) {
      const counts = [sketch.zeroCount, ...binsOf(sketch).flat()];
      left -= JSON.stringify({ [step]: counts }).length;
      if (left < 0) break;
      stored[step] = counts;
    }
    return stored;
  }

  /**
   * Estimates the total duration of a step from the samples longer than a minimum. Returns undefined if there are fewer
   * than `atLeast` of these samples.
   *
   * @param longerThan the minimum in milliseconds; default: none.
   */
  estimate(step: string, atLeast: number, longerThan = -1): DurationEstimate | undefined {
    const whole = this.#sketches.get(step);
    const sketch = whole && longerThan >= 0 ? beyond(whole, longerThan) : whole;
    if (!sketch || sketch.count < atLeast) return undefined;
    return {
      count: sketch.count,
      p50: sketch.getValueAtQuantile(0.5),
      p90: sketch.getValueAtQuantile(0.9),
    };
  }

  /** Returns the distribution of a step's durations across the given number of intervals; undefined without samples. */
  distribution(step: string, intervals: number): DurationDistribution | undefined {
    const sketch = this.#sketches.get(step);
    if (!sketch || sketch.count === 0) return undefined;
    // Without this limit, a few very long durations would squeeze all other durations into the first interval.
    const upTo = sketch.getValueAtQuantile(0.95) * 1.5;
    const counts = Array<number>(intervals).fill(0);
    const intervalOf = (value: number) =>
      upTo > 0 ? Math.min(intervals - 1, Math.floor((value / upTo) * intervals)) : 0;
    counts[0]! += sketch.zeroCount;
    for (const [key, count] of binsOf(sketch)) {
      const { from, to } = boundsOf(sketch, key);
      const [first, last] = [intervalOf(from), intervalOf(to)];
      // A bin can be wider than an interval, so its samples are spread evenly across the intervals that it overlaps.
      for (let i = first; i <= last; i++) {
        const start = Math.max(from, (i * upTo) / intervals);
        const end = i === last ? to : ((i + 1) * upTo) / intervals;
        counts[i]! += (count * (end - start)) / (to - from);
      }
    }
    return { upTo, shares: counts.map((count) => count / sketch.count) };
  }

  #sketch(step: string): DDSketch {
    const known = this.#sketches.get(step);
    if (known) return known;
    const made = new DDSketch({ relativeAccuracy });
    this.#sketches.set(step, made);
    return made;
  }
}

/** Returns the keys and counts of the nonempty bins. */
function binsOf({ store }: DDSketch): [key: number, count: number][] {
  return store.bins.flatMap((count, i) => (count > 0 ? [[i + store.offset, count]] : []));
}

/**
 * Returns the range of the values that a bin counts. The bin's representative value differs from both bounds by at most
 * the relative accuracy.
 */
function boundsOf({ mapping }: DDSketch, key: number): { from: number; to: number } {
  const value = mapping.value(key);
  return { from: value / (1 + relativeAccuracy), to: value / (1 - relativeAccuracy) };
}

/** Returns the part of a sketch with the samples above a value. */
function beyond(sketch: DDSketch, value: number): DDSketch {
  const rest = new DDSketch({ relativeAccuracy });
  for (const [key, count] of binsOf(sketch)) {
    const middle = sketch.mapping.value(key);
    if (middle > value) rest.accept(middle, count);
  }
  return rest;
}
