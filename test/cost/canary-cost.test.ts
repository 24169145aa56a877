import { expect, it } from 'vitest';
import { itemBytes } from '../../src/aws/dynamodb/item-size.ts';
import { canaryModel } from '../../src/canary/canary-model.ts';
import type { Model } from '../../src/core/model/model.ts';
import { Pipeline } from '../support/service/pipeline.ts';
import { measuredDay } from './canary-cost.ts';

it("a day of the canary's events consumes the write units and bytes that the cost estimate assumes", async () => {
  const pipeline = new Pipeline(canaryModel as unknown as Model);
  const minutes = 24 * 60;
  for (let minute = 0; minute < minutes; minute++) {
    const id = new Date(pipeline.clock.now()).toISOString();
    const event = { transaction: '2026-01-01', type: 'canary.checked', id };
    await pipeline.deliver(pipeline.records(event));
    await pipeline.clock.advance(60_000);
  }
  const sizes = pipeline.database.items('instances').map(itemBytes);
  const units = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 1_024), 0);
  const bytes = sizes.reduce((sum, each) => sum + each + 100, 0);
  expect(sizes.length).toBeGreaterThan(minutes);
  expect(Math.abs(units / measuredDay.writeUnits - 1)).toBeLessThan(0.02);
  expect(Math.abs(bytes / measuredDay.bytes - 1)).toBeLessThan(0.02);
});
