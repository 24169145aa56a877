import { accept, defineModel, reject, tokenOf, unixSeconds } from 'milepost';
import * as v from 'valibot';

/** How long an activation lasts, in seconds: 28 days. */
const activeFor = 28 * 24 * 60 * 60;
/** The number of wrong tokens that a waiting service tolerates. The next wrong token suspends the service. */
const wrongTokensAllowed = 3;

/** A service on the device. Times are in seconds since 1970. */
interface Service {
  readonly token: string;
  readonly status: 'Waiting' | 'Active' | 'Suspended';
  readonly failed: number;
  readonly ts: number;
  readonly expires?: number;
  readonly last_logon_ts?: number;
}

/** A device and the services on it, by name. */
export interface Account {
  readonly created_at: number;
  readonly app: { readonly [service: string]: Service };
}

const request = v.object({
  service: v.pipe(v.string(), v.nonEmpty('must not be empty')),
  token: v.optional(v.string(), ''),
});

/** Activates services on a device: issues a token for a service and waits until the token is confirmed. */
export const activation = defineModel({
  id: 'activation',
  title: 'Service activation on a device',
  statuses: ['New', 'Waiting', 'Active', 'Suspended'],
  milestones: [
    { id: 'created', label: 'Device registered' },
    { id: 'requested', label: 'Activation requested' },
    { id: 'activated', label: 'Activated' },
  ],
  events: {
    'account.created': v.unknown(),
    'activation.requested': request,
    'entitlement.requested': request,
  },
  diagram: {
    nodes: [
      { id: 'New', label: 'New' },
      { id: 'Waiting', label: 'Waiting' },
      { id: 'Active', label: 'Active' },
      { id: 'Suspended', label: 'Suspended' },
    ],
    edges: [
      { from: 'New', to: 'Waiting', label: 'activation requested' },
      { from: 'Waiting', to: 'Active', label: 'correct token' },
      { from: 'Waiting', to: 'Waiting', label: 'wrong token' },
      { from: 'Waiting', to: 'Suspended', label: 'too many wrong tokens' },
      { from: 'Active', to: 'Active', label: 'entitlement requested' },
      { from: 'Active', to: 'Suspended', label: 'expired' },
      { from: 'Suspended', to: 'Waiting', label: 'new token' },
    ],
  },

  initial: (event): Account => ({ created_at: unixSeconds(event.time), app: {} }),

  transition(event, account, { first }) {
    const now = unixSeconds(event.time);
    if (event.type === 'account.created')
      return first ? accept(account) : reject('the account already exists');

    const name = event.data.service;
    const service = Object.hasOwn(account.app, name) ? account.app[name] : undefined;
    const token = event.data.token || tokenOf(event);
    const put = (changed: Service) =>
      accept({ ...account, app: { ...account.app, [name]: changed } });

    if (event.type === 'activation.requested')
      return service === undefined || service.status === 'Suspended'
        ? put({ ...service, token, status: 'Waiting', failed: 0, ts: now })
        : reject(`${name} is already ${service.status}`);

    if (service === undefined) return reject(`${name} was never requested on this device`);
    return put({ ...afterEntitlement(service, event.data.token, token, now), last_logon_ts: now });
  },

  describe({ created_at, app }) {
    const services = Object.values(app);
    const has = (status: Service['status']) => services.some((s) => s.status === status);
    const worst = (['Suspended', 'Waiting', 'Active'] as const).find(has);
    const activated = services.flatMap((s) =>
      s.expires === undefined ? [] : s.expires - activeFor,
    );
    return {
      status: worst ?? 'New',
      milestones: [
        { id: 'created', at: moment(created_at) },
        { id: 'requested', ...earliest(services.map((s) => s.ts)) },
        { id: 'activated', ...earliest(activated) },
      ],
    };
  },
});

/**
 * Returns a service after an entitlement request.
 *
 * @param given the token in the request; empty if there is none.
 * @param fresh the token for a suspended service: `given` or, if it is empty, a token derived from the event.
 */
function afterEntitlement(service: Service, given: string, fresh: string, now: number): Service {
  const { expires = 0, ...lasting } = service;
  switch (service.status) {
    case 'Waiting':
      if (given === service.token)
        return { ...service, status: 'Active', failed: 0, expires: now + activeFor };
      return service.failed < wrongTokensAllowed
        ? { ...service, failed: service.failed + 1 }
        : { ...service, status: 'Suspended' };
    case 'Active':
      return expires >= now
        ? { ...service, failed: 0 }
        : { ...lasting, status: 'Suspended', failed: 0 };
    case 'Suspended':
      return { ...service, token: fresh, status: 'Waiting', failed: 0 };
  }
}

const moment = (seconds: number) => new Date(seconds * 1000).toISOString();
const earliest = (seconds: readonly number[]) =>
  seconds.length > 0 ? { at: moment(Math.min(...seconds)) } : {};
