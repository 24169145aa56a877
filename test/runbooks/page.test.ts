import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { entry, newTracker } from '../lib/tracker.ts';
import { readRunbooks } from '../support/docs/runbooks.ts';
import { commandsIn } from '../support/docs/shell-commands.ts';
import { coverage } from './coverage.ts';
import { apiDrills } from './drills/api.ts';
import { archiveDrills } from './drills/archive.ts';
import { canaryDrills } from './drills/canary.ts';
import { counterDrills } from './drills/counters.ts';
import { eventSourceDrills } from './drills/event-sources.ts';
import { eventDrills } from './drills/events.ts';
import { keyDrills } from './drills/keys.ts';
import { modelDrills } from './drills/models.ts';
import { notificationDrills } from './drills/notifications.ts';

const { runbooks } = await readRunbooks('docs/how-to/respond-to-alarms.md');
const text = runbooks.flatMap(({ look, do: todo }) => [...look, ...todo]).join('\n');

/** All resources of a stack with every option that a runbook mentions. */
function everyResource(): [string, string][] {
  const { stack, tracker } = newTracker((scope) => ({
    archive: true,
    canary: true,
    customerPages: true,
    encryptionKey: new Key(scope, 'Key'),
  }));
  tracker.addModel('tickets', { entry });
  tracker.addEventBridgeSource('Devices', {
    eventPattern: { source: ['devices'] },
    event: { modelId: 'tickets', transactionId: '$.detail.id' },
  });
  const { Resources } = Template.fromStack(stack).toJSON() as {
    Resources: Record<string, { Type: string }>;
  };
  return Object.entries(Resources).map(([id, { Type }]) => [id, Type]);
}

describe('docs/how-to/respond-to-alarms.md', () => {
  it('has a row in the coverage table for every section and every shell block', () => {
    const blocks = runbooks.map(({ name, look, do: todo }) => [name, look.length, todo.length]);
    const rows = Object.entries(coverage).map(([name, row]) => [
      name,
      row.look.length,
      row.do.length,
    ]);
    expect(rows).toEqual(blocks);
  });

  it('has a command under "Look" and under "Do" in every section', () => {
    const without = runbooks.filter(({ look, do: todo }) => look.length === 0 || todo.length === 0);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('has a drill for every section with commands that run on this machine', () => {
    const local = Object.entries(coverage).filter(([, row]) => row.look.includes('local'));
    const drills = [
      eventDrills,
      eventSourceDrills,
      modelDrills,
      notificationDrills,
      apiDrills,
      archiveDrills,
      canaryDrills,
      keyDrills,
      counterDrills,
    ].flatMap((each) => Object.keys(each));
    expect(drills.toSorted()).toEqual(local.map(([name]) => name).toSorted());
  });
});

describe('the resource names in docs/how-to/respond-to-alarms.md', () => {
  const used = [
    ...text.matchAll(/\$\(resource (\w+) (\w+)\)/g),
    ...text.matchAll(/^()logs (\w+) /gm),
  ].map(([, type, prefix]) => [type || 'LogGroup', prefix!] as const);
  const resources = everyResource();

  it.each([...new Set(used.map((each) => each.join(' ')))])(
    'include %s, which matches exactly one resource',
    (name) => {
      const [type, prefix] = name.split(' ');
      const found = resources.filter(
        ([id, its]) => its.endsWith(`::${type}`) && id.startsWith(`Tracker${prefix}`),
      );
      expect(found.map(([id]) => id)).toHaveLength(1);
    },
  );
});

// The CDK does not check these options in a drill, because drills on this machine replace `npx cdk`.
it('docs/how-to/respond-to-alarms.md uses only options that the CDK supports', async () => {
  const commands = await commandsIn(text);
  const ofCdk = commands.filter(([npx, cdk]) => npx === 'npx' && cdk === 'cdk');
  expect(new Set(ofCdk.map(([, , command]) => command))).toEqual(new Set(['deploy']));
  const { stdout: help } = await promisify(execFile)('npx', ['cdk', 'deploy', '--help']);
  for (const option of ofCdk.flatMap((words) => words.slice(3)))
    expect(help).toMatch(new RegExp(`^ +${option} `, 'm'));
});
