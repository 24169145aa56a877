import type { Chance } from '../../src/common/chance.ts';

/** The failures and delays of calls to AWS in a run. */
export interface Weather {
  /** The probability that the calling process crashes immediately before or after a call. */
  crash: number;
  /** The probability that the service rejects a call without effect, as in an outage or with throttling. */
  refused: number;
  /** The probability that a call takes effect but its response is lost. */
  lost: number;
  /** The probability that a call takes effect, its response is lost, and the client retries the call. */
  repeated: number;
  /** The probability that a call is slow. */
  slow: number;
  /** The maximum duration of a slow call, in milliseconds. */
  longest: number;
  /**
   * The probability that an event source times out while the invoked function continues. Two invocations then do the
   * same work.
   */
  abandoned: number;
  /** The probability that a call takes effect but its response lacks the results. */
  hollow: number;
}

/** Draws the weather of a run. Each kind of failure except `hollow` occurs in about half of the runs. */
export function drawWeather(chance: Chance): Weather {
  const trouble = (most: number) => (chance.happens(0.5) ? chance.fraction() * most : 0);
  return {
    crash: trouble(0.04),
    refused: trouble(0.1),
    lost: trouble(0.05),
    repeated: trouble(0.05),
    slow: chance.pick([0.1, 0.5, 0.9]),
    longest: chance.pick([20, 200, 5_000]),
    abandoned: trouble(0.1),
    hollow: 0,
  };
}

/** Ends all failures, and limits slow calls to 20 ms. */
export function calm(weather: Weather): void {
  const nothing = { crash: 0, refused: 0, lost: 0, repeated: 0, abandoned: 0, hollow: 0 };
  Object.assign(weather, { ...nothing, longest: 20 });
}
