import type { Server } from 'node:http';
import { systemClock } from '../../common/clock.ts';
import { systemRandom } from '../random.ts';
import { readOrCreateSecret } from '../secret-file.ts';
import { type ListenHost, listen, type RunningServer } from '../server/listen.ts';
import { withPortVariable } from '../server/port-variable.ts';
import { StartError } from '../server/start-error.ts';
import type { BusEvent } from './bus-event.ts';
import { createEventBusServer } from './event-bus-server.ts';
import type { RuleTargets } from './rule-targets.ts';
import { Outbox } from './webhooks/outbox.ts';
import { httpPost } from './webhooks/post.ts';
import { WebhookDelivery } from './webhooks/webhook-delivery.ts';
import { type IdentifyEvent, webhookMessageOf } from './webhooks/webhook-message.ts';
import { webhookSecretFormat } from './webhooks/webhook-secret.ts';

/** The webhooks, each of which receives every event, and the settings of their requests. */
export interface WebhookOptions {
  readonly urls: readonly string[];
  /** The secret that signs requests, or null for the secret in `files.webhookSecret`. */
  readonly secret: string | null;
  /** The `user-agent` of requests. */
  readonly userAgent: string;
  readonly identify: IdentifyEvent;
}

export interface EventBusOptions {
  readonly webhooks: WebhookOptions;
  /**
   * The files: `outbox` is the database of the outbox, or null to keep the outbox in memory, and `webhookSecret` stores
   * the generated secret.
   */
  readonly files: { readonly outbox: string | null; readonly webhookSecret: string };
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** The ports to try, in order; 0 picks a free port. */
  readonly ports: readonly number[];
  /** The name of the port's setting, for error messages. */
  readonly portVariable: string;
  /** Sends events to the targets of rules. */
  readonly targets: RuleTargets;
  readonly log: (line: string) => void;
}

/**
 * Starts an embedded EventBridge. An event that matches a rule is put on the rule's stream before it is acknowledged.
 * Every event is also delivered to each webhook at least once, unless the webhook fails for 24 hours.
 *
 * @throws StartError if no port is available or the stored files cannot be used.
 */
export async function startEventBus(options: EventBusOptions): Promise<RunningServer> {
  await using started = new AsyncDisposableStack();
  const { urls } = options.webhooks;
  const notify = urls.length > 0 ? await startWebhooks(options, started) : () => undefined;
  const server = createEventBusServer(async (events) => {
    await options.targets(events);
    notify(events.map(({ event }) => event));
  });
  const { url } = started.use(
    await withPortVariable(options.portVariable, listenOnFirst(server, options)),
  );
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function listenOnFirst(
  server: Server,
  { host, ports }: Pick<EventBusOptions, 'host' | 'ports'>,
): Promise<RunningServer> {
  const [port = 0, ...others] = ports;
  try {
    return await listen(server, port, { host });
  } catch (error) {
    if (!(error instanceof StartError) || others.length === 0) throw error;
    return listenOnFirst(server, { host, ports: others });
  }
}

async function startWebhooks(
  { webhooks, files, log }: EventBusOptions,
  started: AsyncDisposableStack,
): Promise<(events: readonly BusEvent[]) => void> {
  const secret =
    webhooks.secret ?? (await readOrCreateSecret(files.webhookSecret, webhookSecretFormat));
  if (webhooks.secret === null)
    log(`Webhooks are signed with the secret in ${files.webhookSecret}`);
  const outbox = started.use(new Outbox(files.outbox, webhooks.urls));
  const { userAgent } = webhooks;
  const shared = {
    secret,
    userAgent,
    outbox,
    post: httpPost,
    clock: systemClock,
    random: systemRandom,
    log,
  };
  const all = webhooks.urls.map((webhook) => new WebhookDelivery({ ...shared, webhook }));
  started.defer(async () => {
    await Promise.all(all.map((deliveries) => deliveries.stop()));
  });
  return (events) => {
    outbox.put(
      events.map((event) => webhookMessageOf(event, webhooks.identify)),
      systemClock.now(),
    );
    for (const deliveries of all) deliveries.notify();
  };
}
