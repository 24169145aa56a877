import { accept, defineModel, reject } from 'milepost';
import * as v from 'valibot';

/** The devices that should receive offers for a service, in the order in which they were added. */
export interface Offers {
  readonly devices: readonly string[];
}

/** Lists the devices that receive offers for a service: every device for which the service was requested. */
export const offers = defineModel({
  id: 'offers',
  title: 'Devices to send offers for a service',
  statuses: ['Open'],
  events: {
    'device.added': v.object({ device: v.pipe(v.string(), v.nonEmpty('must not be empty')) }),
  },
  diagram: {
    nodes: [{ id: 'Open', label: 'Open' }],
    edges: [{ from: 'Open', to: 'Open', label: 'device added' }],
  },

  initial: (): Offers => ({ devices: [] }),

  transition({ data: { device } }, { devices }) {
    return devices.includes(device)
      ? reject(`${device} is already listed`)
      : accept({ devices: [...devices, device] });
  },

  describe: () => ({ status: 'Open' }),
});
