import { describe, expect, it } from 'vitest';
import { bar, localTime, percent, relativeTime } from '../../../src/cli/output/format.ts';
import { renderTable, truncate } from '../../../src/cli/output/table.ts';

const plain = (_style: unknown, text: string) => text;

describe('times', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['2026-03-01T12:00:00Z', 'now'],
    ['2026-03-01T11:59:18Z', '42s ago'],
    ['2026-03-01T12:01:59Z', 'in 1m'],
    ['2026-03-01T09:00:01Z', '2h ago'],
    ['2026-02-20T12:00:00Z', '9d ago'],
    ['soon', 'soon'],
  ])('%s is %s', (time, said) => {
    expect(relativeTime(time, now)).toBe(said);
  });

  it('are local', () => {
    const time = '2026-03-01T12:00:07.123Z';
    const said = localTime(time);
    expect(said).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:07$/);
    expect(Math.trunc(Date.parse(time) / 1000)).toBe(Date.parse(said) / 1000);
  });
});

describe('progress', () => {
  it.each([
    [0, '0%', '░░░░'],
    [0.29, '29%', '█░░░'],
    [0.999, '99%', '███░'],
    [1, '100%', '████'],
  ])('%d is %s', (share, said, drawn) => {
    expect([percent(share), bar(share, 4)]).toEqual([said, drawn]);
  });
});

describe('a table', () => {
  const columns = [{ header: 'a', min: 4 }, { header: 'b', min: 4 }, { header: 'c' }];

  it('lines wide characters up by their columns', () => {
    const rows = [
      ['日本', 'x', '1'],
      ['abcd', '👨‍👩‍👧', '2'],
      ['e\u0301', 'y', '3'],
    ];
    expect(renderTable(columns, rows, { width: undefined, paint: plain }).split('\n')).toEqual([
      'a     b   c',
      '日本  x   1',
      'abcd  👨‍👩‍👧  2',
      'e\u0301     y   3',
    ]);
  });

  it('cuts the widest column first, and none below its least', () => {
    const rows = [['aaaaaaaaaaaa', 'bbbbbb', 'cccccc']];
    const at = (width: number) =>
      renderTable(columns, rows, { width, paint: plain }).split('\n').at(-1);
    expect(at(28)).toBe('aaaaaaaaaaaa  bbbbbb  cccccc');
    expect(at(24)).toBe('aaaaaaa…  bbbbbb  cccccc');
    expect(at(18)).toBe('aaa…  bbb…  cccccc');
    expect(at(17)).toBe('c  cccccc');
  });

  it('never cuts a character in two', () => {
    expect(truncate('日本語', 4)).toBe('日…');
    expect(truncate('ab👨‍👩‍👧cd', 4)).toBe('ab…');
  });
});
