import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetter, instance } from '../../samples.ts';
import { ask, service, startServicePerTest } from '../../service-per-test.ts';
import { problem } from '../../stub-service.ts';

startServicePerTest();

describe('milepost redrive', () => {
  it('redrives the parked events of an instance', async () => {
    service.data.instances = [instance({ parked: 2 }), instance({ transaction: 'T2', parked: 1 })];
    const { status, stdout } = await ask(['redrive', 'activation', 'ATV-123']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout:
        'redriving 2 parked events of activation/ATV-123; check with: milepost status activation ATV-123\n',
    });
    expect(service.received[0]?.method).toBe('POST');
    const { stdout: one } = await ask(['redrive', 'activation', 'T2']);
    expect(one).toBe(
      'redriving 1 parked event of activation/T2; check with: milepost status activation T2\n',
    );
  });

  it('prints a command that works for a transaction id that starts with a hyphen', async () => {
    service.data.instances = [instance({ transaction: '-1', parked: 1 })];
    const { stdout } = await ask(['redrive', '--', 'activation', '-1']);
    expect(stdout).toMatch(/; check with: milepost status -- activation -1\n$/);
  });

  it('reports an instance without parked events and an instance that does not exist', async () => {
    service.data.instances = [instance()];
    expect(await ask(['redrive', 'activation', 'ATV-123'])).toMatchObject({
      status: 0,
      stdout: 'activation/ATV-123 has no parked events\n',
    });
    expect(await ask(['redrive', 'activation', 'ATV-9'])).toMatchObject({
      status: 1,
      stderr: 'error: no instance activation/ATV-9 (404)\n',
    });
  });

  it('redrives a dead letter', async () => {
    service.data.deadLetters = [deadLetter('d/1', 'x')];
    expect(await ask(['redrive', '--dead-letter', 'd/1'])).toMatchObject({
      status: 0,
      stdout: 'redrove dead letter d/1\n',
    });
    expect(await ask(['redrive', '--dead-letter', 'd2'])).toMatchObject({ status: 1 });
    expect(await ask(['redrive', '--dead-letter', 'd/1', '--json'])).toMatchObject({
      status: 0,
      stdout: '{"redriven":1}\n',
    });
    service.script = () => ({ status: 200, body: '<html></html>' });
    expect(await ask(['redrive', '--dead-letter', 'd/1'])).toMatchObject({ status: 1, stdout: '' });
  });

  it('says that a dead letter which another request redrives was not redriven', async () => {
    service.script = () => ({ status: 202, body: '{"redriven":0}' });
    expect(await ask(['redrive', '--dead-letter', 'd1'])).toMatchObject({
      status: 0,
      stdout: 'dead letter d1 is already being redriven, or its event is no longer parked\n',
    });
  });
});

describe('milepost redrive --dead-letters', () => {
  beforeEach(() => {
    service.redrivenAtOnce = 2;
    service.data.deadLetters = ['a', 'a', 'b & c', 'b & c', 'a'].map((reason, i) =>
      deadLetter(`d${i}`, 'x', { reason }),
    );
  });

  it('follows the cursor until all dead letters are redriven', async () => {
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({
      status: 0,
      stdout: 'redrove 5 dead letters\n',
      stderr: '',
    });
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/dead-letters/redrive',
      'POST /api/dead-letters/redrive?cursor=2',
      'POST /api/dead-letters/redrive?cursor=4',
    ]);
  });

  it('redrives only the dead letters with the given reason', async () => {
    const { stdout } = await ask(['redrive', '--dead-letters', '--reason', 'b & c']);
    expect(stdout).toBe('redrove 2 dead letters\n');
    expect(service.received).toHaveLength(3);
    const none = await ask(['redrive', '--dead-letters', '--reason', 'd']);
    expect(none).toMatchObject({
      status: 0,
      stdout: 'there are no dead letters with this reason that can be redriven\n',
    });
  });

  it('reports that there are no dead letters that can be redriven', async () => {
    service.data.deadLetters = [];
    const { status, stdout } = await ask(['redrive', '--dead-letters']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'there are no dead letters that can be redriven\n',
    });
  });

  it('prints the total with --json', async () => {
    const { stdout } = await ask(['redrive', '--dead-letters', '--json']);
    expect(stdout).toBe('{"redriven":5}\n');
  });

  it('prints the number of dead letters that were redriven before the service failed', async () => {
    service.script = ({ url }) => (url.endsWith('cursor=4') ? problem(500, 'broken') : undefined);
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({
      status: 1,
      stdout: 'redrove 4 dead letters\n',
      stderr: 'error: broken (500)\n',
    });
    service.script = () => problem(500, 'broken');
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({ status: 1, stdout: '' });
  });
});
