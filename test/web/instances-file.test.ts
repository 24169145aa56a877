import { describe, expect, it } from 'vitest';
import type { Summary } from '../../web/api/types.ts';
import { toCsv } from '../../web/pure/csv.ts';
import { instancesFile } from '../../web/pure/instances-file.ts';

const at = '2026-11-24T09:05:30.000Z';
const instance: Summary = {
  model: 'claim',
  modelVersion: 1,
  transaction: 'C, "1"',
  version: 2,
  status: 'Open',
  done: false,
  progress: 0.5,
  startedAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
  statusSince: '2026-11-01T00:00:00.000Z',
  parked: 3,
  keys: ['customer:42', 'shop:7'],
  risk: { state: 'late', milestone: 'paid', since: '2026-11-20T00:00:00.000Z', lateBy: 'P4D' },
};
const { risk: _, ...withoutRisk } = instance;

describe('the file of a list of instances', () => {
  it('is CSV with a row for each instance', () => {
    const { name, type, text } = instancesFile(
      [instance, { ...withoutRisk, transaction: 'C2', progress: null, startedAt: null, keys: [] }],
      'csv',
      at,
    );
    expect({ name, type }).toEqual({ name: 'instances-2026-11-24-09-05.csv', type: 'text/csv' });
    expect(text.slice(1).split('\r\n')).toEqual([
      'model,transaction,status,done,progress,risk,riskMilestone,riskSince,parked,keys,startedAt,statusSince,updatedAt',
      'claim,"C, ""1""",Open,false,0.5,late,paid,2026-11-20T00:00:00.000Z,3,customer:42 shop:7,2026-11-01T00:00:00.000Z,2026-11-01T00:00:00.000Z,2026-11-02T00:00:00.000Z',
      'claim,C2,Open,false,,,,,3,,,2026-11-01T00:00:00.000Z,2026-11-02T00:00:00.000Z',
      '',
    ]);
  });

  it('is JSON Lines with each instance as the API returns it', () => {
    const { name, text } = instancesFile([instance, withoutRisk], 'jsonl', at);
    expect(name).toBe('instances-2026-11-24-09-05.jsonl');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([instance, withoutRisk]);
  });
});

describe('CSV', () => {
  it('starts with a byte order mark, so that spreadsheets read UTF-8', () => {
    expect(toCsv([['é']])).toBe('\u{feff}é\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tA1', '\rA1', '＝1', '＋1', '－1', '＠SUM(A1)'])(
    'contains %j after an apostrophe, so that spreadsheets do not run it as a formula',
    (text) => {
      expect(toCsv([[text]])).toContain(`'${text}`);
    },
  );

  it.each([
    ['T1;=1+1', "T1;'=1+1"],
    ['\t=1+1', "'\t'=1+1"],
    ['T1;"=1+1"', `"T1;""'=1+1"""`],
    ['T1\t@SUM(A1);-1', "T1\t'@SUM(A1);'-1"],
    ['T1\n+1', `"T1\n'+1"`],
  ])(
    'contains no formula even if a spreadsheet starts a new cell within the value %j',
    (text, field) => {
      expect(toCsv([[text, 'T2']])).toBe(`\u{feff}${field},T2\r\n`);
    },
  );

  it('does not change `=`, `-`, or `@` within a value', () => {
    expect(toCsv([['a=b', 'a;b-c', 'ann@example.org']])).toBe(
      '\u{feff}a=b,a;b-c,ann@example.org\r\n',
    );
  });

  it('quotes values that contain commas, quotation marks, or line breaks', () => {
    expect(toCsv([['a,b', 'c"d', 'e\nf', 'g']])).toBe('\u{feff}"a,b","c""d","e\nf",g\r\n');
  });
});
