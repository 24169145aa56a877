import { given } from 'milepost/testing';
import { expect, it } from 'vitest';
import { parcel } from '../models/parcel/model.ts';

it('becomes Delivered after the carrier delivers it', () => {
  given(
    parcel,
    { type: 'parcel.packed' },
    { type: 'parcel.handed-over', data: { carrier: 'ACME' } },
  )
    .when({ type: 'parcel.delivered' })
    .then(({ status, description }) => {
      expect(status).toBe('Delivered');
      expect(description.done).toBe(true);
    });
});

it('rejects a second packing', () => {
  given(parcel, { type: 'parcel.packed' })
    .when({ type: 'parcel.packed' })
    .then(({ outcome, reason }) => {
      expect(outcome).toBe('rejected');
      expect(reason).toBe('already packed');
    });
});
