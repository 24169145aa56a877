import { accept, defineModel, reject } from 'milepost';
import * as v from 'valibot';

interface Parcel {
  readonly packed?: string;
  readonly handedOver?: string;
  readonly carrier?: string;
  readonly delivered?: string;
}

export const parcel = defineModel({
  id: 'parcel',
  title: 'A parcel on its way',
  statuses: ['Ordered', 'Packed', 'On its way', 'Delivered'],
  milestones: [
    { id: 'packed', label: 'Packed' },
    { id: 'handedOver', label: 'Handed to the carrier' },
    { id: 'delivered', label: 'Delivered' },
  ],
  // The event types, each with the schema of its data: any Standard Schema, such as a Valibot or Zod schema.
  events: {
    'parcel.packed': v.object({}),
    'parcel.handed-over': v.object({ carrier: v.string() }),
    'parcel.delivered': v.object({}),
  },
  initial: (): Parcel => ({}),
  // A pure function: take times and ids from the event, not from the environment.
  transition(event, parcel) {
    switch (event.type) {
      case 'parcel.packed':
        return parcel.packed ? reject('already packed') : accept({ ...parcel, packed: event.time });
      case 'parcel.handed-over':
        return accept({ ...parcel, handedOver: event.time, carrier: event.data.carrier });
      case 'parcel.delivered':
        return accept({ ...parcel, delivered: event.time });
    }
  },
  // The business keys to find instances by: `/api/instances?key=carrier:ACME`.
  keys: ({ carrier }) => ({ carrier }),
  // The status and the milestones that users see.
  describe(parcel) {
    const status = parcel.delivered
      ? 'Delivered'
      : parcel.handedOver
        ? 'On its way'
        : parcel.packed
          ? 'Packed'
          : 'Ordered';
    return {
      status,
      done: parcel.delivered !== undefined,
      milestones: [
        { id: 'packed', at: parcel.packed },
        { id: 'handedOver', at: parcel.handedOver },
        { id: 'delivered', at: parcel.delivered },
      ],
    };
  },
});
