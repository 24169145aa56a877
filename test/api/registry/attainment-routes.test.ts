import type { InferOutput } from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import type { attainmentByWeek } from '../../../src/api/registry/attainment-schema.ts';
import type { overview } from '../../../src/api/registry/overview-schema.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import { commitOf } from '../../support/data/commits.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi, type ProblemBody } from '../../support/service/memory-api.ts';

type Weeks = InferOutput<typeof attainmentByWeek>;

const monday = Date.parse('2026-11-23T00:00:00Z');
const day = 86_400_000;

const id = 'claim';
const [first, second] = [
  { id: 'received', label: 'Received' },
  { id: 'answered', label: 'Answered' },
];

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  api.models.register({ ...registryEntry(id), milestones: [first, second] });
  await api.clock.advance(monday + 1.5 * day - api.clock.now());
});

function write(transaction: string, ...deadlines: string[]): void {
  const version = (api.instances.rowOf({ model: id, transaction })?.version ?? 0) + 1;
  api.instances.putRow(statusRow(commitOf({ model: id, transaction }, version, { deadlines })));
}

const weeks = async (query = '') => {
  const { body } = await api.get<Weeks>(`/api/models/${id}/sla${query}`);
  return body.weeks.map(({ from, milestones }) => ({ from, milestones }));
};

describe('GET /api/models/{model}/sla', () => {
  it('counts the deadlines of each milestone by week', async () => {
    write('T1', `2026-11-16/met/${second.id}`, `2026-11-16/met/${first.id}`);
    write('T2', `2026-11-16/breached/${second.id}`, `2026-11-23/met/${first.id}`);
    write('T3', `2026-11-16/met/${second.id}`);
    const { body } = await api.get<Weeks>(`/api/models/${id}/sla`);
    expect(body).toEqual({
      model: id,
      weeks: [
        {
          from: '2026-11-16',
          to: '2026-11-22',
          milestones: [
            { ...first, met: 1, breached: 0, open: 0, attainment: 1 },
            { ...second, met: 2, breached: 1, open: 0, attainment: 0.6666 },
          ],
        },
        {
          from: '2026-11-23',
          to: '2026-11-29',
          milestones: [{ ...first, met: 1, breached: 0, open: 0, attainment: 1 }],
        },
      ],
    });
  });

  it('returns a share with two decimal places exactly, although shares are rounded down', async () => {
    for (let count = 0; count < 100; count++)
      write(`T${count}`, `2026-11-16/${count < 57 ? 'met' : 'breached'}/gone`);
    expect((await weeks())[0]!.milestones[0]!.attainment).toBe(0.57);
  });

  it('counts deadlines that are still open as breached once their week has ended', async () => {
    write('T1', '2026-11-16/open/gone');
    write('T2', '2026-11-23/open/gone');
    const gone = { id: 'gone', label: 'gone' };
    expect(await weeks()).toEqual([
      {
        from: '2026-11-16',
        milestones: [{ ...gone, met: 0, breached: 1, open: 0, attainment: 0 }],
      },
      {
        from: '2026-11-23',
        milestones: [{ ...gone, met: 0, breached: 0, open: 1, attainment: null }],
      },
    ]);
  });

  it('reflects the latest state of each instance', async () => {
    write('T1', '2026-11-16/breached/gone');
    write('T1', '2026-11-16/met/gone');
    expect((await weeks())[0]!.milestones).toMatchObject([{ met: 1, breached: 0 }]);
    write('T1');
    expect(await weeks()).toEqual([]);
  });

  it('returns the current week and the preceding seven weeks by default', async () => {
    for (const week of ['2026-09-28', '2026-10-05', '2026-11-23', '2026-11-30'])
      write(week, `${week}/met/gone`);
    expect((await weeks()).map(({ from }) => from)).toEqual(['2026-10-05', '2026-11-23']);
  });

  it('returns all weeks from the week that contains `from` to the week that contains `to`', async () => {
    for (const week of ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'])
      write(week, `${week}/met/gone`);
    const found = await weeks('?from=2026-11-08&to=2026-11-09');
    expect(found.map(({ from }) => from)).toEqual(['2026-11-02', '2026-11-09']);
  });

  it('returns the earliest and the latest week that a date can represent', async () => {
    for (const week of ['0000-01-03', '9999-12-20']) write(week, `${week}/met/gone`);
    const found = async (query: string) => {
      const { body } = await api.get<Weeks>(`/api/models/${id}/sla${query}`);
      return body.weeks.map(({ from, to }) => [from, to]);
    };
    expect(await found('?to=0000-01-09')).toEqual([['0000-01-03', '0000-01-09']]);
    expect(await found('?to=9999-12-26')).toEqual([['9999-12-20', '9999-12-26']]);
  });

  it.each([
    ['?from=yesterday', '`from` must be a date, such as 2026-11-23; got "yesterday"'],
    ['?to=2026-02-30', '`to` must be a date, such as 2026-11-23; got "2026-02-30"'],
    ['?from=2026-11-24&to=2026-11-23', '`from` must not be after `to`; got "2026-11-24"'],
    [
      '?from=2025-01-01&to=2026-11-23',
      '`from` and `to` must span at most 53 weeks; got 100; send several requests',
    ],
    [
      '?from=0000-01-02&to=0000-01-03',
      '`from` must be a date from 0000-01-03 to 9999-12-26; got "0000-01-02"',
    ],
    ['?to=9999-12-27', '`to` must be a date from 0000-01-03 to 9999-12-26; got "9999-12-27"'],
  ])('rejects %s', async (query, detail) => {
    const { status, body } = await api.get<ProblemBody>(`/api/models/${id}/sla${query}`);
    expect([status, body.detail]).toEqual([400, detail]);
  });

  it('responds with 404 to an unknown model', async () => {
    expect(await api.get('/api/models/nobody/sla')).toMatchObject({ status: 404 });
  });
});

describe('GET /api/overview', () => {
  it('contains the attainment of the previous and the current week', async () => {
    write('T1', '2026-11-09/met/a', '2026-11-16/met/a', '2026-11-16/breached/b');
    write('T2', '2026-11-23/open/a');
    const { body } = await api.get<InferOutput<typeof overview>>('/api/overview');
    expect(body.models.find((model) => model.id === id)!.sla).toEqual([
      { from: '2026-11-16', met: 1, breached: 1, open: 0, attainment: 0.5 },
      { from: '2026-11-23', met: 0, breached: 0, open: 1, attainment: null },
    ]);
    expect(body.models.filter(({ sla }) => sla.length > 0)).toHaveLength(1);
  });
});
