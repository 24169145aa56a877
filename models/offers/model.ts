import { accept, defineModel, reject } from 'milepost';
import * as v from 'valibot';

/** The devices that are to get offers for a service, in the order in which they came. */
export interface Offers {
  readonly devices: readonly string[];
}

/** Who may be sent offers for a service: every device that asked for it. */
export const offers = defineModel({
  id: 'offers',
  title: 'Devices to send offers for a service',
  statuses: ['Open'],
  events: {
    'device.added': v.object({ device: v.pipe(v.string(), v.nonEmpty()) }),
  },
  diagram: {
    nodes: [{ id: 'Open', label: 'Open' }],
    edges: [{ from: 'Open', to: 'Open', label: 'device added' }],
  },

  initial: (): Offers => ({ devices: [] }),

  transition({ data: { device } }, { devices }) {
    return devices.includes(device)
      ? reject(`${device} is listed already`)
      : accept({ devices: [...devices, device] });
  },

  describe: () => ({ status: 'Open' }),
});
