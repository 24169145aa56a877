import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { StubService } from '../../stub-service.ts';

let service: StubService;
beforeEach(async () => {
  service = await new StubService().start();
});
afterEach(() => service.stop());

const ask = (argv: readonly string[], around = {}) => run(['--api', service.url, ...argv], around);

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
