import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventSourceMapping, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { readService } from '../../../src/local/template/read-service.ts';
import type { Template as Synthesized } from '../../../src/local/template/template.ts';
import { entry, newTracker, templateOf } from '../../lib/tracker.ts';

const place = { stackName: 'Test', region: 'eu-west-1', accountId: '123456789012' };
const plain = readService(
  templateOf({}, 'orders').toJSON() as Synthesized,
  place,
  (key) => `/assets/${key}`,
);

describe('readService', () => {
  it('reports no unsupported features of an app with default options', () => {
    expect(plain.unsupported).toEqual([]);
    expect(plain.busRules).toEqual([]);
  });

  it('omits the queue of wake-ups, because the clock runs every second', () => {
    const names = plain.eventSources.map(({ functionName }) => functionName);
    expect(names.filter((name) => name.includes('Wakeups'))).toEqual([]);
    expect(names).toHaveLength(3);
  });

  it('reports and omits the archive, but reads all other resources', () => {
    const { stack, tracker } = newTracker({ archive: true });
    tracker.addModel('orders', { entry });
    const archived = readService(
      Template.fromStack(stack).toJSON() as Synthesized,
      place,
      (key) => `/assets/${key}`,
    );
    expect(archived.unsupported).toEqual([
      expect.stringMatching(/^The archive exists only in AWS\. /),
    ]);
    expect(archived.eventSources).toHaveLength(plain.eventSources.length);
    expect(archived.tables).toHaveLength(plain.tables.length);
    expect(archived.functions.some(({ name }) => name.includes('Archiver'))).toBe(true);
  });

  it('reads an event source on the stream of a table', () => {
    const { stack, tracker } = newTracker({ archive: true });
    tracker.addModel('orders', { entry });
    const table = new Table(stack, 'Shop', {
      tableName: 'shop',
      partitionKey: { name: 'id', type: AttributeType.STRING },
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: 'expiresAt',
    });
    const { function: consumer } = tracker.archive!.archiver;
    const other = new CfnFunction(stack, 'Consumer', {
      functionName: 'consumer',
      code: { s3Bucket: 'bucket', s3Key: 'key' },
      role: consumer.role!.roleArn,
      runtime: 'nodejs24.x',
      handler: 'index.handler',
    });
    new CfnEventSourceMapping(stack, 'Changes', {
      functionName: other.ref,
      eventSourceArn: table.tableStreamArn,
      startingPosition: 'TRIM_HORIZON',
    }).addDependency(other);
    const { eventSources, tables, unsupported } = readService(
      Template.fromStack(stack).toJSON() as Synthesized,
      place,
      (key) => `/assets/${key}`,
    );
    expect(unsupported).toHaveLength(1);
    expect(eventSources.filter(({ tableName }) => tableName === 'shop')).toMatchObject([
      {
        id: 'Changes',
        functionName: 'consumer',
        streamName: 'shop',
        tableName: 'shop',
        settings: { StartingPosition: 'TRIM_HORIZON' },
      },
    ]);
    expect(tables.find(({ TableName }) => TableName === 'shop')).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      timeToLiveAttribute: 'expiresAt',
    });
  });
});
