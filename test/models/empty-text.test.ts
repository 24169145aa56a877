import { given } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { activation } from '../../models/activation/model.ts';
import { customer } from '../../models/customer/model.ts';
import { newDevice } from '../../models/new-device/model.ts';
import { offers } from '../../models/offers/model.ts';
import { serviceRequest } from '../../models/service-request/model.ts';
import { session } from '../../models/session/model.ts';
import type { JsonObject } from '../../src/core/json/json.ts';

interface EmptyText {
  readonly model: { readonly id: string };
  readonly type: string;
  readonly field: string;
  /** The other fields that the event requires. */
  readonly others?: JsonObject;
}

// The history shows this reason to operators, who do not know the validation library.
describe('the reason for rejecting an empty string names the field and the requirement', () => {
  it.each<EmptyText>([
    { model: activation, type: 'activation.requested', field: 'service' },
    { model: activation, type: 'entitlement.requested', field: 'service' },
    {
      model: customer,
      type: 'purchase.recorded',
      field: 'order',
      others: { event: 'Mens Discus', qty: 1 },
    },
    {
      model: newDevice,
      type: 'activation.submitted',
      field: 'token',
      others: { service: 'ABC', device: 'ATV-123' },
    },
    { model: offers, type: 'device.added', field: 'device' },
    { model: serviceRequest, type: 'request.cancelled', field: 'reason' },
    { model: session, type: 'session.started', field: 'token' },
  ])('$field of $type in the model $model.id', ({ model, type, field, others }) => {
    given(model as typeof activation)
      .when({ type, data: { ...others, [field]: '' } })
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe(`data: ${field}: must not be empty`);
      });
  });
});
