import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Service } from '../../support/service/service.ts';

interface List {
  readonly total: number;
}

/**
 * The demo data has at least this many instances on any date. The number depends on the working days in the past month.
 */
const minimumInstances = 1_500;
/** The time limit for processing a month of events, in milliseconds, long enough for a busy machine. */
const fillTimeLimit = 180_000;

let service: Service;
beforeAll(async () => {
  service = await Service.start({ MILEPOST_DEMO: 'on' });
  await service.eventually<List>(
    '/api/instances',
    ({ total }) => total >= minimumInstances,
    fillTimeLimit,
  );
}, fillTimeLimit + 60_000);
afterAll(() => service.stop());

describe('the service with demo data', () => {
  it.each([
    ['closed requests', 'instances?model=service-request&status=Closed', 500],
    ['late requests', 'instances?model=service-request&risk=late', 1],
    ['instances with parked events', 'instances?model=warranty-claim&parked=true', 1],
  ])('has %s', async (_, list, least) => {
    const path = `/api/${list}`;
    const { total } = await service.eventually<List>(path, (found) => found.total >= least);
    expect(total).toBeGreaterThanOrEqual(least);
  });

  it('has dead letters with several reasons', async () => {
    interface DeadLetters {
      readonly deadLetters: readonly { readonly reason: string }[];
    }
    const reasons = ({ deadLetters }: DeadLetters) =>
      new Set(deadLetters.map(({ reason }) => reason)).size;
    const found = await service.eventually<DeadLetters>(
      '/api/dead-letters?limit=100',
      (letters) => reasons(letters) >= 3,
    );
    expect(reasons(found)).toBeGreaterThanOrEqual(3);
  });
});
