import { accept, defineModel, tokenOf } from 'milepost';
import { given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { activation } from '../../models/activation/model.ts';

const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
const days = 24 * 60 * 60;
const at = (seconds: number) => new Date((start + seconds) * 1000).toISOString();

const created: TestEvent = { type: 'account.created', time: at(0) };
const requested = (service: string, token?: string, after = 1): TestEvent => ({
  type: 'activation.requested',
  data: token === undefined ? { service } : { service, token },
  time: at(after),
});
const entitled = (service: string, token: string | undefined, after: number): TestEvent => ({
  type: 'entitlement.requested',
  data: token === undefined ? { service } : { service, token },
  time: at(after),
});

describe('the account of an activation instance', () => {
  it('is created by account.created', () => {
    given(activation)
      .when(created)
      .then(({ outcome, state, status }) => {
        expect(outcome).toBe('applied');
        expect(state).toEqual({ created_at: start, app: {} });
        expect(status).toBe('New');
      });
  });

  it('is created by any first event, even if the event is rejected', () => {
    given(activation)
      .when(entitled('NBCSports', 'MTOB1J', 5))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('rejected');
        expect(state).toEqual({ created_at: start + 5, app: {} });
      });
  });

  it('is created only once', () => {
    given(activation, requested('NBCSports', 'MTOB1J'))
      .when(created)
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('already exists');
        expect(state.created_at).toBe(start + 1);
      });
  });
});

describe('activation.requested', () => {
  it('creates a waiting service with its token', () => {
    given(activation, created)
      .when(requested('NBCSports', 'MTOB1J', 7))
      .then(({ state, status }) => {
        expect(state.app).toEqual({
          NBCSports: { token: 'MTOB1J', status: 'Waiting', failed: 0, ts: start + 7 },
        });
        expect(status).toBe('Waiting');
      });
  });

  it.each<Record<string, string>>([{ service: 'ABC' }, { service: 'ABC', token: '' }])(
    'derives the token from the event for the data %j',
    (data) => {
      const event = { type: 'activation.requested', data, source: 'tv', id: 'e7' };
      given(activation, created)
        .when(event)
        .then(({ state }) => {
          expect(state.app.ABC?.token).toMatch(/^[A-Z0-9]{6}$/);
          expect(state.app.ABC?.token).toBe(tokenOf({ source: 'tv', id: 'e7' }));
        });
    },
  );

  it('is rejected while the service waits or is active', () => {
    given(activation, requested('ABC', 'A'))
      .when(requested('ABC', 'B', 2))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('ABC is already Waiting');
      });
    given(activation, requested('ABC', 'A'), entitled('ABC', 'A', 2))
      .when(requested('ABC', 'B', 3))
      .then(({ reason }) => expect(reason).toBe('ABC is already Active'));
  });

  it('gives a suspended service a new token', () => {
    const wrong = [2, 3, 4, 5].map((after) => entitled('ABC', 'wrong', after));
    given(activation, requested('ABC', 'A'), ...wrong)
      .when(requested('ABC', 'B', 9))
      .then(({ state, status }) => {
        expect(state.app.ABC).toMatchObject({
          token: 'B',
          status: 'Waiting',
          failed: 0,
          ts: start + 9,
        });
        expect(status).toBe('Waiting');
      });
  });

  it.each([[{}], [{ service: '' }], [{ service: 5 }], [{ service: 'A', token: 5 }], [null], ['A']])(
    'is rejected with the data %j',
    (data) => {
      given(activation, created)
        .when({ type: 'activation.requested', data })
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toContain('data');
          expect(state.app).toEqual({});
        });
    },
  );

  it.each(['__proto__', 'constructor', 'toString'])(
    'accepts a service with the name %s',
    (name) => {
      given(activation, requested(name, 'T'))
        .when(entitled(name, 'T', 2))
        .then(({ state, status }) => {
          expect(Object.keys(state.app)).toEqual([name]);
          expect(status).toBe('Active');
          expect(({} as { token?: string }).token).toBeUndefined();
        });
    },
  );
});

describe('entitlement.requested', () => {
  it('is rejected for a service that was never requested', () => {
    given(activation, created)
      .when(entitled('NBCSports', 'MTOB1J', 2))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('never requested');
        expect(state.app).toEqual({});
      });
  });

  it('activates the service for 28 days if the token is correct', () => {
    given(activation, created, requested('NBCSports', 'MTOB1J'))
      .when(entitled('NBCSports', 'MTOB1J', 60))
      .then(({ state, status }) => {
        expect(state.app.NBCSports).toEqual({
          token: 'MTOB1J',
          status: 'Active',
          failed: 0,
          ts: start + 1,
          expires: start + 60 + 2_419_200,
          last_logon_ts: start + 60,
        });
        expect(status).toBe('Active');
      });
  });

  it('suspends the service after the fourth wrong token, as in the specification', () => {
    const wrong = [2, 3, 4, 5].map((after) => entitled('ABC', 'MTOB1J', after));
    given(activation, created, requested('ABC', ''))
      .when(wrong[0]!, wrong[1]!, wrong[2]!, wrong[3]!)
      .then(({ statuses, state }) => {
        expect(statuses).toEqual(['Waiting', 'Waiting', 'Waiting', 'Suspended']);
        expect(state.app.ABC).toMatchObject({ failed: 3, last_logon_ts: start + 5 });
      });
  });

  it('results in the states that the example in the specification shows for both services', () => {
    const wrong = [3, 4, 5, 6].map((after) => entitled('ABC', 'MTOB1J', after));
    const story = [created, requested('NBCSports', 'MTOB1J'), requested('ABC', '')];
    given(activation, ...story)
      .when(entitled('NBCSports', 'MTOB1J', 2), ...wrong)
      .then(({ state, status }) => {
        expect(state.app.NBCSports?.status).toBe('Active');
        expect(state.app.ABC?.status).toBe('Suspended');
        expect(status).toBe('Suspended');
      });
  });

  it('leaves an active service active until it expires, and then suspends it', () => {
    const active = [requested('ABC', 'A'), entitled('ABC', 'A', 10)];
    const expires = 10 + 28 * days;
    given(activation, ...active)
      .when(entitled('ABC', 'anything', expires))
      .then(({ state }) =>
        expect(state.app.ABC).toMatchObject({
          status: 'Active',
          failed: 0,
          last_logon_ts: start + expires,
        }),
      );
    given(activation, ...active)
      .when(entitled('ABC', 'A', expires + 1))
      .then(({ state, status }) => {
        expect(state.app.ABC).toEqual({
          token: 'A',
          status: 'Suspended',
          failed: 0,
          ts: start + 1,
          last_logon_ts: start + expires + 1,
        });
        expect(status).toBe('Suspended');
      });
  });

  it('makes a suspended service wait again, with a given or derived token', () => {
    const wrong = [2, 3, 4, 5].map((after) => entitled('ABC', 'wrong', after));
    given(activation, requested('ABC', 'A'), ...wrong)
      .when(entitled('ABC', 'B', 9))
      .then(({ state }) =>
        expect(state.app.ABC).toEqual({
          token: 'B',
          status: 'Waiting',
          failed: 0,
          ts: start + 1,
          last_logon_ts: start + 9,
        }),
      );
    given(activation, requested('ABC', 'A'), ...wrong)
      .when({ ...entitled('ABC', undefined, 9), id: 'e9' })
      .then(({ state }) =>
        expect(state.app.ABC?.token).toBe(tokenOf({ source: 'test', id: 'e9' })),
      );
  });
});

describe('the description of an activation instance', () => {
  it('has the worst status of any service', () => {
    const waiting = [requested('A', 'T'), requested('B', 'T')];
    given(activation, ...waiting)
      .when(entitled('A', 'T', 3))
      .then(({ status }) => expect(status).toBe('Waiting'));
    given(activation, ...waiting, entitled('A', 'T', 3))
      .when(entitled('B', 'T', 4))
      .then(({ status }) => expect(status).toBe('Active'));
  });

  it('includes the times of the milestones and is not done, even after the last milestone', () => {
    given(activation, created, requested('A', 'T', 5))
      .when(entitled('A', 'T', 60))
      .then(({ description }) => {
        expect(description.done ?? false).toBe(false);
        expect(description.milestones).toEqual([
          { id: 'created', at: at(0) },
          { id: 'requested', at: at(5) },
          { id: 'activated', at: at(60) },
        ]);
      });
  });
});

describe('other events of the activation model', () => {
  it('are rejected and change nothing', () => {
    given(activation, requested('A', 'T'))
      .when({ type: 'device.melted' })
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('device.melted');
        expect(state.app.A?.status).toBe('Waiting');
      });
  });
});

describe('given', () => {
  it('throws an error if one of its events is rejected', () => {
    expect(() => given(activation, requested('A', 'T'), requested('A', 'T'))).toThrow(
      'given: activation.requested is rejected',
    );
  });

  it('throws the fault of a failing model', () => {
    const broken = defineModel({
      ...activation,
      transition: () => accept({ created_at: Number.NaN, app: {} }),
    });
    expect(() => given(broken).when(created)).toThrow('state.created_at is NaN');
  });
});
