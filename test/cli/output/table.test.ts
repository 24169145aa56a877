import { describe, expect, it } from 'vitest';
import { renderTable, truncate } from '../../../src/cli/output/table.ts';

const plain = (_style: unknown, text: string) => text;

describe('a printed table', () => {
  const columns = [{ header: 'a', min: 4 }, { header: 'b', min: 4 }, { header: 'c' }];

  it('aligns text with wide characters by terminal columns', () => {
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

  it('truncates the widest column first, but no column below its minimum', () => {
    const rows = [['aaaaaaaaaaaa', 'bbbbbb', 'cccccc']];
    const at = (width: number) =>
      renderTable(columns, rows, { width, paint: plain }).split('\n').at(-1);
    expect(at(28)).toBe('aaaaaaaaaaaa  bbbbbb  cccccc');
    expect(at(24)).toBe('aaaaaaa…  bbbbbb  cccccc');
    expect(at(18)).toBe('aaa…  bbb…  cccccc');
    expect(at(17)).toBe('c  cccccc');
  });

  it('never truncates text within a character', () => {
    expect(truncate('日本語', 4)).toBe('日…');
    expect(truncate('ab👨‍👩‍👧cd', 4)).toBe('ab…');
  });
});
