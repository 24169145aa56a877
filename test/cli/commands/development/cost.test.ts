import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { run } from '../../run.ts';

const cost = (...argv: string[]) => run(['cost', '--events-per-month', ...argv]);

describe('milepost cost', () => {
  it('shows the price of each service and then their total', async () => {
    const { status, stdout, stderr } = await cost('10M');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Milepost +total +86\.\d\d +8\.\d\d\n*$/m);
    const lines = stdout.trimEnd().split('\n').slice(1);
    expect(lines.at(-1)).toMatch(/^Milepost /);
    const perMonth = lines.map((line) => Number(line.split(/ {2,}/).at(-2)));
    const total = perMonth.pop()!;
    expect(perMonth.length).toBeGreaterThan(5);
    // Each price is rounded to cents.
    const sum = perMonth.reduce((all, each) => all + each, 0);
    expect(Math.abs(sum - total)).toBeLessThan(0.01 * perMonth.length);
    expect(stderr).toBe('List prices in us-east-1 as of 2026-11-21; see docs/reference/cost.md.\n');
  });

  it.each([60, 80, 200])('prints a table that fits a terminal of %i columns', async (columns) => {
    const { stdout } = await run(['cost', '--events-per-month', '1G'], { columns });
    const lines = stripVTControlCharacters(stdout).split('\n');
    expect(lines[0]).toMatch(/^service +usage +\$ per month +\$ per million$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('prints the prices and the assumed usage as JSON with --json', async () => {
    const { stdout } = await cost('500k', '--work', 'B', '--event-bytes', '2k', '--json');
    const { usage, month, pricesOf, ...others } = JSON.parse(stdout);
    expect(usage).toMatchObject({ eventsPerMonth: 500_000, eventsPerCommit: 5, eventBytes: 2_000 });
    expect(month.perMonth).toBeGreaterThan(0);
    expect(pricesOf).toBe('2026-11-21');
    expect(others).toEqual({});
  });

  it('uses the default values that its help states', async () => {
    const { stdout } = await run(['cost', '--help'], { columns: 200 });
    const stated = stdout.matchAll(/(--[a-z-]+) .*\(default: (\d+)\)/g);
    const options = [...stated].flatMap(([, option, value]) => [option!, value!]);
    expect(options).toContain('--dispatcher-memory');
    expect((await cost('1M', ...options, '--json')).stdout).toBe(
      (await cost('1M', '--json')).stdout,
    );
  });

  it('sends no requests', async () => {
    const fetch = () => Promise.reject(new Error('asked'));
    expect((await run(['cost', '--events-per-month', '1M'], { fetch })).status).toBe(0);
  });

  it.each([
    [['cost'], "required option '--events-per-month <n>' not specified"],
    [['cost', '--events-per-month', '0'], 'at least 1'],
    [['cost', '--events-per-month', 'many'], 'such as 500k or 10M'],
    [['cost', '--events-per-month', '1M', '--retention-days', '8'], 'from 1 to 7'],
    [['cost', '--events-per-month', '1M', '--events-per-commit', '6'], '(6) must not exceed'],
    [['cost', '--events-per-month', '1M', '--published-per-event', '2'], '(2) must not exceed'],
    [['cost', '--events-per-month', '1M', '--work', 'D'], 'Allowed choices are A, B, C'],
  ])('rejects %j with a usage error', async (argv, message) => {
    const { status, stderr } = await run(argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
