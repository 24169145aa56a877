import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CheckpointsUnreadableError,
  FileCheckpoints,
} from '../../../src/aws-local/event-source/checkpoints.ts';
import type { ShardPosition } from '../../../src/aws-local/event-source/shards.ts';
import { temporaryFolder } from '../endpoints/support.ts';

const after = (sequenceNumber: string): ShardPosition => ({
  at: 'AFTER_SEQUENCE_NUMBER',
  sequenceNumber,
});

let path: string;
beforeEach(async () => {
  path = join(await temporaryFolder(), 'a', 'checkpoints.json');
});

describe('FileCheckpoints', () => {
  it('loads no checkpoints if the file does not exist', async () => {
    expect(await new FileCheckpoints(path).load()).toEqual(new Map());
  });

  it('stores every kind of position, even if shards are saved separately', async () => {
    const positions = new Map<string, ShardPosition>([
      ['shardId-1', after('49590338271490256608559692538361571095921575989136588898')],
      ['shardId-2', { at: 'TRIM_HORIZON' }],
      ['shardId-3', { at: 'AT_TIMESTAMP', timestamp: 1_700_000_000_123 }],
      ['shardId-4', { at: 'LATEST' }],
    ]);
    const checkpoints = new FileCheckpoints(path);
    await checkpoints.save(new Map([...positions].slice(0, 2)));
    await checkpoints.save(new Map([...positions].slice(2)));
    expect(await new FileCheckpoints(path).load()).toEqual(positions);
  });

  it('adds new checkpoints to those of an earlier process', async () => {
    await new FileCheckpoints(path).save(new Map([['shardId-1', after('1')]]));
    await new FileCheckpoints(path).save(new Map([['shardId-2', after('2')]]));
    expect((await new FileCheckpoints(path).load()).size).toBe(2);
  });

  it('keeps the last of several concurrent saves', async () => {
    const checkpoints = new FileCheckpoints(path);
    const saves = Array.from({ length: 50 }, (_, n) =>
      checkpoints.save(new Map([['shardId-1', after(String(n))]])),
    );
    await Promise.all(saves);
    expect((await new FileCheckpoints(path).load()).get('shardId-1')).toEqual(after('49'));
  });

  it('rejects an invalid file without changing it', async () => {
    const checkpoints = new FileCheckpoints(path);
    await checkpoints.save(new Map());
    await writeFile(path, '{"shards":{"shardId-1":{"at":"NOWHERE"}}}');
    await expect(new FileCheckpoints(path).load()).rejects.toThrow(CheckpointsUnreadableError);
    expect(await readFile(path, 'utf8')).toContain('NOWHERE');
  });

  it('reads a file again that was invalid and has been restored', async () => {
    await new FileCheckpoints(path).save(new Map());
    await writeFile(path, '');
    const checkpoints = new FileCheckpoints(path);
    await expect(checkpoints.load()).rejects.toThrow(CheckpointsUnreadableError);
    await writeFile(path, '{"shards":{}}');
    expect(await checkpoints.load()).toEqual(new Map());
  });

  it('lets concurrent readers read only complete files', async () => {
    const checkpoints = new FileCheckpoints(path);
    const many = Array.from({ length: 5000 }, (_, n) => [`shardId-${n}`, after('1')] as const);
    await checkpoints.save(new Map(many));
    let isSaving = true;
    const saving = (async () => {
      for (let n = 0; n < 5; n += 1) await checkpoints.save(new Map(many));
      isSaving = false;
    })();
    while (isSaving) expect((await new FileCheckpoints(path).load()).size).toBe(many.length);
    await saving;
  });

  it('leaves a complete file with the latest save after kill -9 during saves', async () => {
    const module = new URL('../../../src/aws-local/event-source/checkpoints.ts', import.meta.url);
    const script = `
      const { FileCheckpoints } = await import(${JSON.stringify(module.href)});
      const checkpoints = new FileCheckpoints(${JSON.stringify(path)});
      const padding = Array.from({ length: 500 }, (_, n) => ['shardId-' + n, { at: 'TRIM_HORIZON' }]);
      for (let n = 0n; ; n += 1n) {
        const position = { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: String(n) };
        await checkpoints.save(new Map([...padding, ['newest', position]]));
        process.stdout.write(n + '\\n');
      }`;
    for (let kills = 0; kills < 3; kills += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      let said = '';
      child.stdout.on('data', (chunk) => (said += String(chunk)));
      while (said.split('\n').length < 5 + 7 * kills) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      const lastSaid = Number(said.split('\n').at(-2));
      const newest = (await new FileCheckpoints(path).load()).get('newest');
      const thisOrTheNext = [lastSaid, lastSaid + 1].map((n) => after(String(n)));
      expect(thisOrTheNext).toContainEqual(newest);
    }
  });
});
