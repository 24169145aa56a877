import type { Store } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { validationError } from '../dynamodb-error.ts';
import { findTable } from '../find-table.ts';
import { type JsonOperation, validRequest } from '../json-operations.ts';
import type { TimeToLive } from './time-to-live.ts';

const updateRequest = v.object({
  TableName: v.string(),
  TimeToLiveSpecification: v.object({
    Enabled: v.boolean(),
    AttributeName: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  }),
});

const describeRequest = v.object({ TableName: v.string() });

/**
 * The operations UpdateTimeToLive and DescribeTimeToLive.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
 */
export function timeToLiveOperations(
  store: Store,
  timeToLive: TimeToLive,
): Readonly<Record<string, JsonOperation>> {
  return {
    'DynamoDB_20120810.UpdateTimeToLive': async (request) => {
      const { TableName, TimeToLiveSpecification } = validRequest(updateRequest, request);
      const { Enabled, AttributeName } = TimeToLiveSpecification;
      await findTable(store, TableName);
      const current = timeToLive.attributeOf(TableName);
      if (Enabled && current !== undefined) throw validationError('TimeToLive is already enabled');
      if (!Enabled && current === undefined)
        throw validationError('TimeToLive is already disabled');
      if (!Enabled && current !== AttributeName)
        throw validationError(
          `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
        );
      await timeToLive.set(TableName, Enabled ? AttributeName : undefined);
      return { TimeToLiveSpecification };
    },
    'DynamoDB_20120810.DescribeTimeToLive': async (request) => {
      const { TableName } = validRequest(describeRequest, request);
      await findTable(store, TableName);
      const AttributeName = timeToLive.attributeOf(TableName);
      const TimeToLiveStatus = AttributeName === undefined ? 'DISABLED' : 'ENABLED';
      return { TimeToLiveDescription: { TimeToLiveStatus, AttributeName } };
    },
  };
}
