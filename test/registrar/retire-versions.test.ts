import { describe, expect, it } from 'vitest';
import { registerModel } from '../../src/registrar/register-model.ts';
import { type PublishedVersions, retireVersions } from '../../src/registrar/retire-versions.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { registryRequest } from '../support/models/registry-request.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:orders';
const { functionArn: _, registeredAt: __, ...description } = registryEntry('orders');

/** A fake Lambda with the versions of one function. Each deployment publishes a version. */
class Published implements PublishedVersions {
  readonly numbers = new Set<string>();
  readonly failures: unknown[] = [];
  readonly registry = new ModelRegistryInMemory();
  /** Called before a version is deleted. If it throws, the deletion fails. */
  interfere: (functionVersion: string) => void = () => {};

  async list(arn: string): Promise<readonly string[]> {
    await Promise.resolve();
    expect(arn).toBe(functionArn);
    return ['$LATEST', ...this.numbers];
  }

  async delete(arn: string, functionVersion: string): Promise<void> {
    await Promise.resolve();
    expect(arn).toBe(functionArn);
    this.interfere(functionVersion);
    this.numbers.delete(functionVersion);
  }

  async deploy(number: number): Promise<void> {
    this.numbers.add(String(number));
    const ports = {
      registry: this.registry.writer,
      partitions: { begin: () => Promise.resolve() },
      describeModel: () => Promise.resolve(description),
      clock: new ManualClock(),
    };
    const registration = {
      ...registryRequest(),
      modelId: 'orders',
      functionArn,
      functionVersion: String(number),
    };
    const registered = await registerModel(ports, registration);
    if (registered === 'superseded') throw new Error(registered);
    await retireVersions(this, registered, (error) => this.failures.push(error));
  }

  async deployUpTo(last: number): Promise<this> {
    for (let number = 1; number <= last; number++) await this.deploy(number);
    return this;
  }

  get left(): number[] {
    return [...this.numbers].map(Number).toSorted((a, b) => a - b);
  }
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('after a deployment of a model', () => {
  it('only the versions in the registry exist', async () => {
    const published = await new Published().deployUpTo(20);
    expect(published.left).toEqual(range(1, 20));
    await published.deploy(21);
    expect(published.left).toEqual(range(2, 21));
    const kept = await published.registry.versions('orders');
    expect(kept.map(({ functionVersion }) => Number(functionVersion)).toReversed()).toEqual(
      published.left,
    );
    expect(published.failures).toEqual([]);
  });

  it('versions that earlier deployments left behind are also deleted', async () => {
    const published = await new Published().deployUpTo(20);
    for (const number of range(30, 60)) published.numbers.add(String(number));
    for (const number of range(61, 80)) await published.deploy(number);
    expect(published.left).toEqual(range(61, 80));
  });

  it('a version that a rollback selected is kept until the next deployment', async () => {
    const published = await new Published().deployUpTo(20);
    const entry = (await published.registry.get('orders'))!;
    const rolledBack = { ...entry, functionArn: `${functionArn}:1`, functionVersion: '1' };
    await published.registry.replace(entry, rolledBack);
    await published.deploy(21);
    expect(published.left).toEqual(range(1, 21));
    await published.deploy(22);
    expect(published.left).toEqual(range(3, 22));
  });

  it('no version is deleted if the request was repeated, and the next deployment deletes the versions', async () => {
    const published = await new Published().deployUpTo(20);
    const entry = (await published.registry.get('orders'))!;
    await published.registry.replace(entry, { ...entry, functionVersion: '21' });
    await published.deploy(21);
    expect(published.left).toEqual(range(1, 21));
    await published.deploy(22);
    expect(published.left).toEqual(range(3, 22));
  });

  it('a version is kept if its deployment has not registered it yet', async () => {
    const published = await new Published().deployUpTo(20);
    published.numbers.add('22');
    await published.deploy(21);
    expect(published.left).toEqual([...range(2, 21), 22]);
  });

  it('a version that cannot be deleted does not affect other versions, and the next deployment deletes it', async () => {
    const published = await new Published().deployUpTo(20);
    published.interfere = (number) => {
      if (number === '1') throw new Error('an alias names it');
    };
    await published.deploy(21);
    await published.deploy(22);
    expect(published.left).toEqual([1, ...range(3, 22)]);
    expect(published.failures).toMatchObject([
      { message: 'an alias names it' },
      { message: 'an alias names it' },
    ]);
    published.interfere = () => {};
    await published.deploy(23);
    expect(published.left).toEqual(range(4, 23));
  });

  it('a failure to list the versions is reported but not thrown', async () => {
    const published = await new Published().deployUpTo(20);
    published.list = () => Promise.reject(new Error('denied'));
    await published.deploy(21);
    expect(published.failures).toEqual([new Error('denied')]);
    expect(published.left).toEqual(range(1, 21));
  });

  it('no version is deleted for a model without published versions', async () => {
    const published = new Published();
    const entry = registryEntry('orders', { functionArn });
    for (const number of ['1', '2']) published.numbers.add(number);
    await retireVersions(published, { entry, replaced: undefined, kept: [] }, (error) =>
      published.failures.push(error),
    );
    expect(published.failures).toEqual([]);
    expect(published.left).toEqual([1, 2]);
  });
});
