import type { Chance } from './chance.ts';

/** The probabilities of failures of calls to AWS in a run, and their delays. */
export interface Weather {
  /** The calling process crashes before the call, or right after it. */
  crash: number;
  /** The call is rejected without effect: throttled, or an outage. */
  refused: number;
  /** It takes effect, and the response is lost. */
  lost: number;
  /** It takes effect, the response is lost, and the client retries the same call. */
  repeated: number;
  /** The call is slow. */
  slow: number;
  /** The maximum duration of a slow call, in milliseconds. */
  longest: number;
  /** The caller of a dispatcher times out while it continues: two of them then do the same work. */
  abandoned: number;
  /** It takes effect, and the response lacks its results. */
  hollow: number;
}

/** Some runs are calm, some have one kind of failure, some have all of them. */
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

/** Nothing fails any more, and nothing is slow. */
export function calm(weather: Weather): void {
  const nothing = { crash: 0, refused: 0, lost: 0, repeated: 0, abandoned: 0, hollow: 0 };
  Object.assign(weather, { ...nothing, longest: 20 });
}
