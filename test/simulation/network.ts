import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import type { Chance } from '../../src/common/chance.ts';
import type { Clock } from '../../src/common/clock.ts';
import { delay, type Outages, type Service } from './outages.ts';
import type { Weather } from './weather.ts';

/** A promise that never settles. It represents a crashed process or a request without a response. */
export const never = <Value>(): Promise<Value> => new Promise(() => undefined);

/** A request to an AWS service, with its effect. */
export interface Request<Value> {
  readonly service: Service;
  /** @param isAwaited false if the caller has crashed or timed out. */
  readonly effect: (isAwaited: boolean) => Promise<Value>;
  /** A response without results, which a faulty service can return even if the request took effect. */
  readonly hollow?: Value;
}

export interface NetworkDependencies {
  readonly chance: Chance;
  readonly weather: Weather;
  readonly outages: Outages;
  readonly clock: Clock;
  readonly count: (what: string) => void;
}

/**
 * The network between processes and AWS services. A service executes a request even if its caller no longer waits for
 * it.
 */
export class Network {
  readonly #dependencies: NetworkDependencies;
  /** The requests that can still take effect. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when no request that was sent so far can still take effect. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /**
   * Sends a request. The response can be late or never arrive.
   *
   * @param isAwaited returns true as long as the caller waits for the response.
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
    count('rejected requests');
    if (chance.happens(0.5)) return new ServiceError('ThrottlingException', 'throttled', 400);
    const name = service === 'lambda' ? 'ServiceException' : 'InternalServerError';
    return new ServiceError(name, 'an internal error', 500);
  }
}
