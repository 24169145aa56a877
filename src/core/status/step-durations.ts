import { DDSketch } from '@datadog/sketches-js';
import type { StepTime } from './step-times.ts';

/** The maximum relative error of an estimate: 5%. */
const relativeAccuracy = 0.05;
/**
 * The number of samples of a step from which existing samples count half, so that new samples soon have an effect.
 */
const halvingCount = 10_000;

/**
 * The stored form of step durations: for each step, the number of zero durations, followed by the key and count of
 * each bin.
 */
export type StoredStepDurations = Readonly<Record<string, readonly number[]>>;

/** The duration of a step, in milliseconds: half of the instances take at most `p50`, and 90% take at most `p90`. */
export interface DurationEstimate {
  /** The number of samples. Older samples count less. */
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
}

/**
 * The durations of the steps of a model: one quantile sketch for each step. Sketches can be merged in any
 * order.
 *
 * @see https://www.vldb.org/pvldb/vol12/p2195-masson.pdf DDSketch
 */
export class StepDurations {
  readonly #sketches = new Map<string, DDSketch>();

  /** Restores stored step durations. */
  static from(stored: StoredStepDurations): StepDurations {
    const stepDurations = new StepDurations();
    for (const [step, [zeros = 0, ...bins]] of Object.entries(stored)) {
      const sketch = stepDurations.#sketch(step);
      const total = bins.reduce((sum, value, i) => (i % 2 === 1 ? sum + value : sum), zeros);
      const weight = total >= halvingCount ? 0.5 : 1;
      if (zeros > 0) sketch.accept(0, zeros * weight);
      for (let i = 0; i < bins.length; i += 2)
        sketch.accept(sketch.mapping.value(bins[i]!), bins[i + 1]! * weight);
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
    return Object.fromEntries(
      [...this.#sketches].map(([step, sketch]) => [
        step,
        [sketch.zeroCount, ...binsOf(sketch).flat()],
      ]),
    );
  }

  /**
   * Estimates the total duration of a step from the samples that exceed a minimum. Returns undefined if there are
   * fewer than `atLeast` such samples.
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

  #sketch(step: string): DDSketch {
    const known = this.#sketches.get(step);
    if (known) return known;
    const made = new DDSketch({ relativeAccuracy });
    this.#sketches.set(step, made);
    return made;
  }
}

/** The nonempty bins: their keys and counts. */
function binsOf({ store }: DDSketch): [key: number, count: number][] {
  return store.bins.flatMap((count, i) => (count > 0 ? [[i + store.offset, count]] : []));
}

/** The part of a sketch above a value. */
function beyond(sketch: DDSketch, value: number): DDSketch {
  const rest = new DDSketch({ relativeAccuracy });
  for (const [key, count] of binsOf(sketch)) {
    const middle = sketch.mapping.value(key);
    if (middle > value) rest.accept(middle, count);
  }
  return rest;
}
