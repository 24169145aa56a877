import { type Rules, type Step, secondsOf } from './rules.ts';

interface Service {
  readonly token: string;
  readonly status: 'Waiting' | 'Active' | 'Suspended';
  readonly failed: number;
  readonly ts: number;
  readonly expires?: number;
  readonly last_logon_ts?: number;
}
interface Account {
  readonly created_at: number;
  readonly app: Readonly<Record<string, Service>>;
}

const activeForSeconds = 28 * 86_400;

/** The rules of the model `activation`. All requests in a soak contain a token. */
export const activationRules: Rules<Account> = {
  initial: (event) => ({ created_at: secondsOf(event), app: {} }),
  apply(account, event, { isFirst }): Step<Account> | undefined {
    if (event.type === 'account.created') return isFirst ? { state: account } : undefined;
    const now = secondsOf(event);
    const { service: name, token } = event.data as { service?: string; token: string };
    if (typeof name !== 'string') return undefined;
    const service = account.app[name];
    const put = (changed: Service) => ({
      state: { ...account, app: { ...account.app, [name]: changed } },
    });
    if (event.type === 'activation.requested')
      return !service || service.status === 'Suspended'
        ? put({ ...service, token, status: 'Waiting', failed: 0, ts: now })
        : undefined;
    if (!service) return undefined;
    return put({ ...entitled(service, token, now), last_logon_ts: now });
  },
  statusOf({ app }) {
    const statuses = Object.values(app).map(({ status }) => status);
    const worst = (['Suspended', 'Waiting', 'Active'] as const).find((each) =>
      statuses.includes(each),
    );
    return worst ?? 'New';
  },
  isDone: () => false,
};

function entitled(service: Service, token: string, now: number): Service {
  const { expires = 0, ...unlimited } = service;
  if (service.status === 'Suspended') return { ...service, token, status: 'Waiting', failed: 0 };
  if (service.status === 'Active')
    return expires >= now
      ? { ...service, failed: 0 }
      : { ...unlimited, status: 'Suspended', failed: 0 };
  if (token === service.token)
    return { ...service, status: 'Active', failed: 0, expires: now + activeForSeconds };
  return service.failed < 3
    ? { ...service, failed: service.failed + 1 }
    : { ...service, status: 'Suspended' };
}
