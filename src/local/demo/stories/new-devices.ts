import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { exponential, minute, type Period } from '../period.ts';

/**
 * Generates work items that activate a service on a new device. No work item starts in the past, because its steps
 * would have timed out by now.
 */
export function newDevices(chance: Chance, { now, end }: Period): DemoEvent[][] {
  const items: DemoEvent[][] = [];
  for (let at = now; at < end; at += exponential(chance, 2 * minute))
    items.push([
      {
        model: 'new-device',
        transaction: `work-${300 + items.length}`,
        source: 'shop',
        type: 'activation.submitted',
        at,
        data: {
          service: 'Eurosport',
          // Some items specify another customer's device, on which the activation model may reject the service.
          device: chance.happens(0.2) ? 'ATV-4000' : `ATV-${9_000 + items.length}`,
          token: chance.uuid().slice(0, 6).toUpperCase(),
        },
      },
    ]);
  return items;
}
