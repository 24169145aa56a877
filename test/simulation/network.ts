import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import type { Clock } from '../../src/common/clock.ts';
import type { Chance } from './chance.ts';
import { delay, type Outages, type Service } from './outages.ts';
import type { Weather } from './weather.ts';

/** What nobody will ever settle: what a dead process, or a request without an answer, waits for. */
export const never = <Value>(): Promise<Value> => new Promise(() => undefined);

/** A request to a service of AWS. */
export interface Request<Value> {
  readonly service: Service;
  /** @param isAwaited false when its caller has died, or has given up on it. */
  readonly effect: (isAwaited: boolean) => Promise<Value>;
  /** An answer that lacks its results, as a broken service may give it, whether or not it did its work. */
  readonly hollow?: Value;
}

/** What a network needs around it. */
export interface NetworkDependencies {
  readonly chance: Chance;
  readonly weather: Weather;
  readonly outages: Outages;
  readonly clock: Clock;
  readonly count: (what: string) => void;
}

/** The services of AWS, which do what they are asked whether or not their caller still waits. */
export class Network {
  readonly #dependencies: NetworkDependencies;
  /** Requests that may still take effect. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when no request that is sent by now can take effect any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /**
   * Sends a request; what it resolves to may come late, or never.
   *
   * @param isAwaited whether its caller still waits for it.
   */
  send<Value>(
    { service, effect, hollow }: Request<Value>,
    isAwaited: () => boolean,
  ): Promise<Value> {
    const { chance, weather, outages, clock, count } = this.#dependencies;
    const kind = outages.kindAt(service, clock.now(), chance);
    if (kind) count(`requests to a service that is ${kind}`);
    const ill = chance.fraction();
    const { refused, lost, repeated } = weather;
    const isMute = kind === 'mute' || (ill >= refused && ill < refused + lost + repeated);
    const serve = async (): Promise<Value> => {
      await clock.sleep(kind === 'slow' ? delay(chance) : this.#latency());
      if (kind === 'refusing' || ill < refused) throw this.#refusal(service);
      const isHollow = hollow !== undefined && chance.happens(weather.hollow);
      if (isHollow && chance.happens(0.5)) return hollow;
      const value = await effect(isAwaited());
      await clock.sleep(this.#latency());
      return isHollow ? hollow : value;
    };
    if (kind === 'unheard') return never();
    const served = serve();
    this.#underWay.add(served);
    const end = () => this.#underWay.delete(served);
    served.then(end, end);
    return isMute ? never() : served;
  }

  #latency(): number {
    const { chance, weather } = this.#dependencies;
    return chance.happens(weather.slow) ? chance.whole(1, weather.longest) : 0;
  }

  #refusal(service: Service): ServiceError {
    const { chance, count } = this.#dependencies;
    count('requests refused');
    if (chance.happens(0.5)) return new ServiceError('ThrottlingException', 'throttled', 400);
    const name = service === 'lambda' ? 'ServiceException' : 'InternalServerError';
    return new ServiceError(name, 'an internal error', 500);
  }
}
