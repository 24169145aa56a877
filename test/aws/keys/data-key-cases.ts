import { expect, it } from 'vitest';
import type { DataKeys } from '../../../src/stores/data-keys.ts';

let instances = 0;
const newInstance = () => ({ model: 'm', transaction: `T${++instances}` });

/** Two stores of the same data keys, as if in two processes. */
export interface KeysUnderTest {
  readonly keys: DataKeys;
  readonly other: DataKeys;
}

/** Defines the tests of `KmsDataKeys`, which run on in-memory endpoints and on embedded endpoints. */
export function dataKeyCases(underTest: () => KeysUnderTest): void {
  it('each instance has one data key in all processes', async () => {
    const { keys, other } = underTest();
    const [a, b] = [newInstance(), newInstance()];
    expect(await keys.get(a)).toBeUndefined();
    const key = await keys.getOrCreate(a);
    expect(key).toHaveLength(32);
    expect(await keys.getOrCreate(a)).toEqual(key);
    expect(await other.getOrCreate(a)).toEqual(key);
    expect(await other.get(a)).toEqual(key);
    expect(await keys.getOrCreate(b)).not.toEqual(key);
  });

  it('concurrent callers get the same data key', async () => {
    const { keys, other } = underTest();
    const instance = newInstance();
    const asked = [keys, other, keys, other].map((each) => each.getOrCreate(instance));
    const [first, ...rest] = await Promise.all(asked);
    for (const each of rest) expect(each).toEqual(first);
  });

  it('a data key can be destroyed permanently, even if it never existed', async () => {
    const { keys } = underTest();
    const [had, never] = [newInstance(), newInstance()];
    await keys.getOrCreate(had);
    for (const instance of [had, never]) {
      await keys.destroy(instance);
      await keys.destroy(instance);
      expect(await keys.getOrCreate(instance)).toBe('forgotten');
      expect(await keys.get(instance)).toBe('forgotten');
    }
  });

  it('another process sees at once that a data key has been destroyed', async () => {
    const { keys, other } = underTest();
    const instance = newInstance();
    expect(await other.isDestroyed(instance)).toBe(false);
    await other.getOrCreate(instance);
    expect(await other.isDestroyed(instance)).toBe(false);
    await keys.destroy(instance);
    expect(await other.isDestroyed(instance)).toBe(true);
  });
}
