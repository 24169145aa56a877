import { describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { json } from '../../stub-service.ts';

startServicePerTest();

const ask = (...argv: string[]) => run(['--api', service.url, ...argv]);

describe('milepost sla', () => {
  it('prints the attainment of each milestone by week', async () => {
    const milestone = (label: string, met: number, breached: number, open = 0) => ({
      id: label,
      label,
      met,
      breached,
      open,
      attainment: met + breached === 0 ? null : met / (met + breached),
    });
    service.script = () =>
      json(200, {
        model: 'claim',
        weeks: [
          {
            from: '2026-11-16',
            to: '2026-11-22',
            milestones: [milestone('Answered', 1999, 1), milestone('Paid', 3, 1)],
          },
          { from: '2026-11-23', to: '2026-11-29', milestones: [milestone('Answered', 0, 0, 12)] },
        ],
      });
    const { status, stdout } = await ask('sla', 'claim', '--from', '2026-11-16');
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "week        milestone   met  breached  open  attainment
      2026-11-16  Answered   1999         1     0       99.9%
                  Paid          3         1     0       75.0%
      2026-11-23  Answered      0         0    12           –
      "
    `);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/models/claim/sla?from=2026-11-16',
    ]);
  });

  it('reports that no milestone had a deadline', async () => {
    service.script = () => json(200, { model: 'claim', weeks: [] });
    expect(await ask('sla', 'claim')).toMatchObject({
      status: 0,
      stderr:
        'No milestone had a deadline in these weeks. To show other weeks, use --from and --to.\n',
    });
  });

  it.each([
    [['sla'], "missing required argument 'model'"],
    [['sla', 'claim', '--from', 'May'], 'It must be a date, such as 2026-11-23.'],
    [['sla', 'claim', '--from', '2026-02-30'], 'It must be a date, such as 2026-11-23.'],
    [['sla', 'claim', '--to', '2026-13-01'], 'It must be a date, such as 2026-11-23.'],
  ])('rejects %j with a usage error', async (argv, message) => {
    const { status, stderr } = await ask(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(service.received).toEqual([]);
  });
});
