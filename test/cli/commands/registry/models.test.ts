import { describe, expect, it } from 'vitest';
import { ask, service, startServicePerTest } from '../../service-per-test.ts';

startServicePerTest();

describe('milepost models', () => {
  it('prints all models', async () => {
    service.data.models = [
      {
        id: 'session',
        version: 2,
        title: 'A session',
        statuses: ['Open', 'Ended'],
        milestones: [],
        functionArn: 'arn:aws:lambda:…',
      },
    ];
    const { stdout } = await ask(['models']);
    expect(stdout).toMatchInlineSnapshot(`
      "model    version  title      statuses
      session        2  A session  Open, Ended
      "
    `);
  });
});
