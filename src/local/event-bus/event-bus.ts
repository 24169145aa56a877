import { systemClock } from '../../core/clock.ts';
import type { DataFolder } from '../data-folder.ts';
import { systemRandom } from '../event-source/random.ts';
import { type Listening, listen } from '../listen.ts';
import { secretInFile } from '../secret-file.ts';
import type { LocalSettings } from '../settings.ts';
import { Deliveries } from './deliveries.ts';
import { createEventBusServer } from './event-bus-server.ts';
import { messageOfEvent } from './message.ts';
import { Outbox } from './outbox.ts';
import { httpPost } from './post.ts';

export interface EventBusOptions {
  readonly webhooks: LocalSettings['webhooks'];
  readonly folder: Pick<DataFolder, 'outbox' | 'webhookSecret'>;
  readonly log: (line: string) => void;
}

/**
 * An embedded EventBridge whose only targets are webhooks: what it acknowledged is delivered to
 * each of them at least once. Without webhooks, events are taken and dropped.
 *
 * @throws StartError when what was kept cannot be used.
 */
export async function startEventBus(options: EventBusOptions): Promise<Listening> {
  await using started = new AsyncDisposableStack();
  const { urls } = options.webhooks;
  const put = urls.length > 0 ? await startWebhooks(options, started) : () => undefined;
  const { url } = started.use(await listen(createEventBusServer(put), 0));
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function startWebhooks(
  { webhooks, folder, log }: EventBusOptions,
  started: AsyncDisposableStack,
): Promise<Parameters<typeof createEventBusServer>[0]> {
  const secret = webhooks.secret ?? (await secretInFile(folder.webhookSecret));
  if (webhooks.secret === null) log(`Webhooks are signed by the secret in ${folder.webhookSecret}`);
  const outbox = started.use(new Outbox(folder.outbox, webhooks.urls));
  const shared = { secret, outbox, post: httpPost, clock: systemClock, random: systemRandom, log };
  const all = webhooks.urls.map((webhook) => new Deliveries({ ...shared, webhook }));
  started.defer(async () => {
    await Promise.all(all.map((deliveries) => deliveries.stop()));
  });
  return (events) => {
    outbox.put(events.map(messageOfEvent), systemClock.now());
    for (const deliveries of all) deliveries.notify();
  };
}
