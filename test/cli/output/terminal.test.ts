import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetter, entry, instance } from '../samples.ts';
import { ask, minutesAgo, service, startServicePerTest } from '../service-per-test.ts';

startServicePerTest();

describe('a terminal', () => {
  const nasty = 'ATV-\x1b]0;owned\x07\u202e\u200b日本語日本語日本語日本語';
  beforeEach(() => {
    service.data.instances = [
      instance({ transaction: nasty, status: 'Waiting for \x9b the bank' }),
      instance({ transaction: 'ATV-2' }),
    ];
    service.data.histories['activation/ATV-2'] = [entry(1, { reason: 'because '.repeat(20) })];
    const ids = { modelId: 'activation', transactionId: 'ATV-123456', eventId: randomUUID() };
    service.data.deadLetters = [deadLetter('0mwq3k2y5-dfd8744da9d81190', 'x', ids)];
  });

  it.each([
    [80, ['history', 'activation', 'ATV-2']],
    [100, ['list']],
    [80, ['dead-letters']],
  ])('of %i columns receives a table that fits its width from %j', async (columns, argv) => {
    const { stdout } = await ask(argv, { columns });
    const widths = stdout.split('\n').map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('…');
  });

  it('of unknown width receives the whole table and the progress', async () => {
    const written = { stdout: '', stderr: '' };
    const unsized = (name: 'stdout' | 'stderr') => ({
      isTTY: true,
      columns: 0,
      write: (text: string) => (written[name] += text),
    });
    await ask(['dead-letters', 'reasons'], { stderr: unsized('stderr') });
    await ask(['list'], { stdout: unsized('stdout') });
    expect(written.stdout).toMatch(/^model +transaction +status/);
    expect(written.stderr).toContain('read 1 dead letter');
  });

  it('receives blocks instead of a table if a table does not fit its width', async () => {
    const { stdout } = await ask(['history', 'activation', 'ATV-2'], {
      columns: 40,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/^v {8}1\ntime {5}\d.*\ntype {5}activation\.requested\n/);
  });

  it.each([80, 60])(
    'of %i columns receives complete transaction ids that fit its width',
    async (columns) => {
      const transaction = '018f6b2e-7c1d-7a52-9b0e-3f6d5a1c8e47';
      const milestones = [{ id: 'a', label: 'A', state: 'late' }];
      service.data.instances = [instance({ transaction, milestones, parked: 12 })];
      const { stdout } = await ask(['list', '--late'], { columns });
      expect(stdout).toContain(transaction);
      const widths = stdout.split('\n').map((line) => stringWidth(line));
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    },
  );

  it('receives only relative times if it is narrow', async () => {
    const reached = { id: 'a', label: 'Received', state: 'reached', at: minutesAgo(60) };
    service.data.instances = [instance({ milestones: [reached] })];
    const look = (columns: number) =>
      ask(['status', 'activation', 'ATV-123'], { columns, env: { NO_COLOR: '1' } });
    expect((await look(40)).stdout).toMatch(/^✔ {2}Received {2}reached 1h ago$/m);
    expect((await look(80)).stdout).toMatch(/^✔ {2}Received {2}reached \d.* \(1h ago\)$/m);
  });

  it('never receives control characters from the data', async () => {
    for (const argv of [['list'], ['status', 'activation', nasty]]) {
      const { stdout } = await ask(argv, { columns: 120 });
      const text = stripVTControlCharacters(stdout);
      expect(text).toContain('ATV-\\x1b]0;owned\\x07\\u202e\\u200b');
      expect(text).toContain('\\x9b the bank');
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it('receives colors unless NO_COLOR is set, and a pipe receives no colors', async () => {
    expect((await ask(['list'], { columns: 80 })).stdout).toContain('\x1b[1m');
    const env = { NO_COLOR: '1' };
    expect((await ask(['list'], { columns: 80, env })).stdout).not.toContain('\x1b');
    expect((await ask(['list'])).stdout).not.toContain('\x1b');
  });
});

describe('the output', () => {
  it.each([
    ['a pipe', 'contains', { FORCE_COLOR: '1' }],
    ['a terminal', 'contains', { FORCE_COLOR: '3' }],
    ['a pipe', 'omits', { FORCE_COLOR: '' }],
    ['a terminal', 'omits', { FORCE_COLOR: '0' }],
    ['a terminal', 'omits', { FORCE_COLOR: 'false' }],
    ['a terminal', 'omits', { FORCE_COLOR: '1', NO_COLOR: '1' }],
  ])('to %s %s colors with the environment variables %j', async (to, wanted, env) => {
    service.data.instances = [instance()];
    const { stdout } = await ask(['list'], { columns: to === 'a terminal' ? 80 : undefined, env });
    expect(stdout).toContain('ATV-123');
    expect(stdout.includes('\x1b[1m')).toBe(wanted === 'contains');
  });
});
