import fc from 'fast-check';
import { given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { offers } from '../../models/offers/model.ts';

const added = (device: string): TestEvent => ({ type: 'device.added', data: { device } });

describe('the offers model', () => {
  it('lists a device', () => {
    given(offers)
      .when(added('ATV-123'))
      .then(({ state, status }) => {
        expect(state).toEqual({ devices: ['ATV-123'] });
        expect(status).toBe('Open');
      });
  });

  it('lists each device once, in order of arrival', () => {
    const devices = fc.array(fc.constantFrom('A', 'B', 'C', '__proto__', 'constructor'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(devices, ([first, ...more]) => {
        given(offers)
          .when(added(first!), ...more.map(added))
          .then(({ state }) => expect(state.devices).toEqual([...new Set([first, ...more])]));
      }),
    );
  });

  it('rejects a device that is already listed', () => {
    given(offers, added('ATV-123'))
      .when(added('ATV-123'))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('ATV-123 is already listed');
      });
  });

  it.each([[{}], [{ device: '' }], [{ device: 7 }], [null]])('rejects the data %j', (data) => {
    given(offers)
      .when({ type: 'device.added', data })
      .then(({ outcome, state }) => {
        expect(outcome).toBe('rejected');
        expect(state).toEqual({ devices: [] });
      });
  });
});
