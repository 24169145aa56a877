import type { LocalSettings } from '../settings/settings.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';

/** Returns a warning if there are webhooks but no function that publishes notifications to a bus. */
export function webhookWarning(
  { functions }: Pick<ServiceDefinition, 'functions'>,
  { urls }: LocalSettings['webhooks'],
): string | undefined {
  const publishes = functions.some(({ environment }) => environment.MILEPOST_BUS !== undefined);
  if (publishes || urls.length === 0) return undefined;
  return 'The webhooks in MILEPOST_WEBHOOK receive no notifications, because the tracker has `Notifications.toStream()` or `Notifications.none()`; use `Notifications.toNewBus()` instead.';
}
