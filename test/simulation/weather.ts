import type { Chance } from './chance.ts';

/** How likely it is that a call to AWS goes wrong, and how slow calls are, in a run. */
export interface Weather {
  /** The process that makes the call dies before it, or right after it. */
  crash: number;
  /** The call is refused, and nothing happened: throttled, or an outage. */
  refused: number;
  /** It took effect, and the answer is lost. */
  lost: number;
  /** It took effect, the answer was lost, and the client made the same call again. */
  repeated: number;
  /** The call takes its time. */
  slow: number;
  /** In milliseconds, the longest that such a call takes. */
  longest: number;
  /** Whoever invoked a dispatcher gives up on it, while it goes on: two of them then do the same. */
  abandoned: number;
  /** It took effect, and the answer lacks its results. */
  hollow: number;
}

/** Some runs are calm, some have one kind of trouble, some all of them. */
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

/** Nothing goes wrong any more, and nothing takes long. */
export function calm(weather: Weather): void {
  const nothing = { crash: 0, refused: 0, lost: 0, repeated: 0, abandoned: 0, hollow: 0 };
  Object.assign(weather, { ...nothing, longest: 20 });
}
