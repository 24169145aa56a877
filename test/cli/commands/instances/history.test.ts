import { describe, expect, it } from 'vitest';
import { localTime } from '../../../../src/cli/output/format.ts';
import { entry, instance } from '../../samples.ts';
import { ask, service, startServicePerTest } from '../../service-per-test.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();

describe('milepost history', () => {
  it('prints one line per event', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [
      entry(1),
      entry(2, { outcome: 'rejected', reason: 'it was there before' }),
    ];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).toContain(`1  ${localTime('2026-01-02T03:04:05Z')}  `);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "v  time                 type                  source  outcome   status   reason
      1  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied   Waiting
      2  YYYY-MM-DD hh:mm:ss  activation.requested  tv      rejected  Waiting  it was there before
      "
    `);
  });

  it('prints the model version only for the first event and where it changes', async () => {
    service.data.instances = [instance()];
    const versions = [1, 1, 2, 2, 1];
    service.data.histories['activation/ATV-123'] = versions.map((modelVersion, index) =>
      entry(index + 1, { modelVersion }),
    );
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "v  time                 type                  source  outcome  status   model
      1  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v1
      2  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting
      3  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v2
      4  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting
      5  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v1
      "
    `);
  });

  it('prints no column for the model version if all events have the same version', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [
      entry(1, { modelVersion: 3 }),
      entry(2, { modelVersion: 3 }),
    ];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).not.toContain('model');
  });

  it('prints no reason column if there are no reasons', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [entry(1)];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).not.toContain('reason');
  });

  it('prints one page and a hint about --all, or all pages with --all', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = Array.from({ length: 230 }, (_, i) => entry(i));
    const page = await ask(['history', 'activation', 'ATV-123', '--limit', '10']);
    expect(page.stdout.split('\n')).toHaveLength(12);
    expect(page.stderr).toContain('--all');
    const all = await ask(['history', 'activation', 'ATV-123', '--all']);
    expect(all.stdout.split('\n')).toHaveLength(232);
    expect(all.stderr).toBe('');
    expect(service.received.slice(1)).toHaveLength(3);
  });

  it('requests the newest events first with --order newest', async () => {
    service.data.instances = [instance()];
    await ask(['history', 'activation', 'ATV-123', '--order', 'newest']);
    expect(service.received.at(-1)?.url).toContain('order=newest');
  });
});
