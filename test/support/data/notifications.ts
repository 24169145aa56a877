import type { Notification } from '../../../src/core/effects/notification.ts';

/** A notification of the model `orders` about the commit with the given version. */
export function notificationOf(
  transaction: string,
  version: number,
  { count = 0, bytes = 0 }: { count?: number; bytes?: number } = {},
): Notification {
  const id = `orders/${transaction}/${version}.${count}`;
  const at = '2026-01-02T03:04:05.678Z';
  const instance = { model: 'orders', transaction };
  const detail = { id, ...instance, version, at, data: 'x'.repeat(bytes) };
  return { id, type: 'StatusChanged', instance, at, detail };
}
