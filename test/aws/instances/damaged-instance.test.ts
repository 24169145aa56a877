import { expect, it } from 'vitest';
import { commitKey, partitionOf } from '../../../src/aws/instances/instance-keys.ts';
import { isPermanent } from '../../../src/core/errors.ts';
import { addFingerprints, fingerprintOf } from '../../../src/core/history/seen.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import {
  InstancesInMemory,
  instancesTable,
} from '../../support/aws-in-memory/instances-in-memory.ts';
import { commitOf, seenAfter } from '../../support/data/commits.ts';

it('a damaged commit makes only its own instance unreadable, even if it is read together with the commits of other instances', async () => {
  const instances = new InstancesInMemory({ now: () => 0 });
  const keys = ['T1', 'T2', 'T3', 'T4', 'T5'].map((transaction) => ({ model: 'm', transaction }));
  const another = [fingerprintOf({ source: 'test', id: 'another' })];
  for (const key of keys) {
    const seen = seenAfter(100);
    const last = commitOf(key, 2, { seen: addFingerprints(seen, another, 2) });
    instances.putCommits(commitOf(key, 1, { seen }), last);
    instances.putRow(statusRow(last));
  }
  // The events that an instance has seen are stored in its commits 1 and 2, so both commits are read.
  await instances.client.updateItem({
    TableName: instancesTable,
    Key: { pk: { S: partitionOf(keys[3]!) }, sk: { S: commitKey(1) } },
    UpdateExpression: 'REMOVE heard',
  });
  const answers = await instances.newStore().readOptimistic(keys);
  expect(answers.map((answer) => 'error' in answer && String(answer.error))).toEqual([
    false,
    false,
    false,
    'TypeError: the item m#T4 COMMIT#0000000001 has no attribute heard',
    false,
  ]);
});

it('a commit whose JSON is damaged is a permanent fault, so only the events of its instance are parked', async () => {
  const instances = new InstancesInMemory({ now: () => 0 });
  const keys = ['T1', 'T2'].map((transaction) => ({ model: 'm', transaction }));
  for (const key of keys) {
    const commit = commitOf(key, 1, { seen: seenAfter(1) });
    instances.putCommits(commit);
    instances.putRow(statusRow(commit));
  }
  await instances.client.updateItem({
    TableName: instancesTable,
    Key: { pk: { S: partitionOf(keys[1]!) }, sk: { S: commitKey(1) } },
    UpdateExpression: 'SET description = :half',
    ExpressionAttributeValues: { ':half': { S: '{"status":"Op' } },
  });
  const answers = await instances.newStore().readOptimistic(keys);
  expect(answers.map((answer) => 'error' in answer && isPermanent(answer.error))).toEqual([
    false,
    true,
  ]);
});
