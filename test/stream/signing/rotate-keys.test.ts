import { beforeEach, describe, expect, it } from 'vitest';
import { readKeyRing } from '../../../src/core/event/key-ring.ts';
import {
  type RotationStep,
  rotateKeys,
  type SecretVersions,
} from '../../../src/stream/signing/rotate-keys.ts';
import { oneKey } from '../../support/data/event-macs.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** An in-memory Secrets Manager with the versions of one secret. */
class Secret implements SecretVersions {
  currentId = 'v1';
  pendingId: string | undefined;
  readonly values = new Map([['v1', oneKey]]);

  current = () => Promise.resolve({ id: this.currentId, value: this.values.get(this.currentId)! });
  pending = (_: string, version: string) =>
    Promise.resolve(version === this.pendingId ? this.values.get(version) : undefined);
  putPending = (_: string, { id, value }: { id: string; value: string }) => {
    this.values.set(id, value);
    this.pendingId = id;
    return Promise.resolve();
  };
  promote = (_: string, version: string, from: string) => {
    expect(from).toBe(this.currentId);
    this.currentId = version;
    return Promise.resolve();
  };
  withdraw = (_: string, version: string) => {
    if (this.pendingId === version) this.pendingId = undefined;
    return Promise.resolve();
  };
}

let secrets: Secret;
let clock: ManualClock;
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

beforeEach(() => {
  secrets = new Secret();
  clock = new ManualClock();
});

const run = (Step: RotationStep['Step'], ClientRequestToken = 'v2') =>
  rotateKeys({ secrets, clock }, { SecretId: 'arn', ClientRequestToken, Step });
const ids = () => [...readKeyRing(secrets.values.get(secrets.currentId)!).keys()];

describe('a rotation of the signing keys', () => {
  it('adds a key and keeps the previous key', async () => {
    for (const step of steps) await run(step);
    expect(secrets.currentId).toBe('v2');
    expect(ids()).toEqual(['0', String(clock.now() / 1000 + 3_600)]);
    expect(secrets.values.get('v2')).toContain(oneKey.slice(1, -1));
  });

  it('is idempotent at every step', async () => {
    for (const step of steps) {
      await run(step);
      const value = secrets.values.get('v2');
      await run(step);
      expect(secrets.values.get('v2')).toBe(value);
    }
    for (const step of steps) await run(step);
    expect([secrets.currentId, ids().length]).toEqual(['v2', 2]);
  });

  it('is withdrawn if it would finish too late, which allows another rotation to begin', async () => {
    await run('createSecret');
    await clock.advance(31 * 60_000);
    await expect(run('finishSecret')).rejects.toThrow(/began too long ago.*rotate again/);
    expect([secrets.currentId, secrets.pendingId]).toEqual(['v1', undefined]);
    for (const step of steps) await run(step, 'v3');
    expect([secrets.currentId, ids().length]).toEqual(['v3', 2]);
  });

  it('completes the step testSecret without a pending version, as when a rotation schedule is set', async () => {
    await run('testSecret');
    expect(secrets.currentId).toBe('v1');
  });

  it.each(['createSecret', 'testSecret'] as const)(
    'rejects a secret that is not a key ring in the step %s',
    async (step) => {
      secrets.values.set('v1', 'hunter2');
      await expect(run(step)).rejects.toThrow(expect.objectContaining({ code: 'bad-secret' }));
    },
  );

  it('rejects an unknown step', async () => {
    await expect(run('dropSecret' as never)).rejects.toThrow(
      '`Step` must be createSecret, setSecret, testSecret, or finishSecret; got dropSecret',
    );
  });
});
