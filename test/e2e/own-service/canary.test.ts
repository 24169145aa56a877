import {
  type LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancePath, Service } from '../../support/service/service.ts';

/** The maximum time until the next run of the canary has succeeded or failed, in milliseconds. */
const runMs = 120_000;

interface Instance {
  readonly transaction: string;
  readonly version: number;
  readonly status: string;
  readonly done: boolean;
}

describe('the canary of a local service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ CDK_CONTEXT_JSON: '{"canary":true}' });
  }, runMs);
  afterAll(async () => void (await service.stop()));

  const today = () => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

  it('sends the events of each day to one instance, which can be read like any other instance', async () => {
    const start = today();
    const { instances } = await service.eventually<{ instances: Instance[] }>(
      '/api/instances?model=milepost-canary',
      (list) => list.instances.some(({ version }) => version >= 2),
    );
    // The test can run past midnight.
    const days = [...new Set([start, today()])];
    expect(instances.length).toBeLessThanOrEqual(days.length);
    for (const { transaction } of instances) {
      expect(days).toContain(transaction);
      const { body } = await service.ask(instancePath('milepost-canary', transaction));
      expect(body).toMatchObject({ transaction, status: 'Running', done: false });
    }
  });

  it(
    'fails with the reason while the pipeline is stuck, and recovers',
    async () => {
      const { lambda } = service;
      await setMapping(lambda, false);
      expect(
        await service.waitForLog(/Canary\S+ failed.*(the event was not applied in time)/),
      ).toBe('the event was not applied in time');
      await setMapping(lambda, true);
      expect(await service.waitForLog(/(Canary\S+ has recovered)/)).toContain('has recovered');
    },
    2 * runMs,
  );
});

/** Enables or disables the dispatcher's event source mapping. */
async function setMapping(lambda: LambdaClient, Enabled: boolean): Promise<void> {
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand());
  const found = EventSourceMappings.find(({ FunctionArn }) => FunctionArn?.includes('Dispatcher'));
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID: found?.UUID, Enabled }));
}
