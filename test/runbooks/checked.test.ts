import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry, newTracker } from '../lib/tracker.ts';
import { readRunbooks } from '../support/docs/runbooks.ts';
import { commandsIn } from '../support/docs/shell-commands.ts';
import { blocksIn, coverage } from './coverage.ts';
import { compilePattern } from './world/filter-pattern.ts';
import { Shell } from './world/shell.ts';

const { setup, runbooks } = await readRunbooks('docs/how-to/respond-to-alarms.md');
const text = runbooks.flatMap(({ look, do: todo }) => [...look, ...todo]).join('\n');

/** The blocks that are only checked, each with its section. */
const checked = runbooks.flatMap(({ name, look, do: todo }) =>
  [
    ...blocksIn('checked', look, coverage[name]!.look),
    ...blocksIn('checked', todo, coverage[name]!.do),
  ].map((block) => [name, block] as const),
);

/** All resources of a stack with every option that a runbook mentions. */
function everyResource(): [string, string][] {
  const { stack, tracker } = newTracker({ archive: true, canary: true, customerPages: true });
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

describe('the names on the page', () => {
  const used = [
    ...text.matchAll(/\$\(resource (\w+) (\w+)\)/g),
    ...text.matchAll(/^()logs (\w+) /gm),
  ].map(([, type, prefix]) => [type || 'LogGroup', prefix!] as const);
  const resources = everyResource();

  it.each([...new Set(used.map((each) => each.join(' ')))])(
    'match exactly one resource: resource %s',
    (name) => {
      const [type, prefix] = name.split(' ');
      const found = resources.filter(
        ([id, its]) => its.endsWith(`::${type}`) && id.startsWith(`Tracker${prefix}`),
      );
      expect(found.map(([id]) => id)).toHaveLength(1);
    },
  );
});

describe('commands that no test can run', () => {
  let folder: string;
  let shell: Shell;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'milepost-checked-'));
    // Valid commands fail only when they connect, because no server listens on this port.
    shell = await Shell.open(folder, `${setup}\nresource() { echo https://name; }`, {
      endpoints: { default: 'http://127.0.0.1:1' },
      env: { AWS_MAX_ATTEMPTS: '1', MILEPOST_API: 'http://127.0.0.1:1' },
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are at most eight', () => {
    expect(checked.length).toBeLessThanOrEqual(8);
  });

  const ofAws = checked.filter(([, block]) => !block.includes('npx cdk'));
  it.each(ofAws)('are accepted by the AWS CLI: %s', async (_, block) => {
    for (const line of block.replaceAll('\\\n', ' ').trim().split('\n'))
      await expect(shell.run(line)).rejects.toThrow('Could not connect to the endpoint URL');
  });

  it('are accepted by the CDK: deploy --revert-drift', async () => {
    const [, block] = checked.find(([, each]) => each.includes('npx cdk'))!;
    const [[, cdk, command, option] = []] = await commandsIn(block);
    expect([cdk, command]).toEqual(['cdk', 'deploy']);
    expect(await shell.run(`cd ${process.cwd()} && npx cdk deploy --help`)).toContain(option);
  });
});

/** @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report */
const timeout = {
  time: '2027-05-14T03:00:00.000Z',
  type: 'platform.report',
  record: { requestId: '6f7f0961', metrics: { durationMs: 900_000 }, status: 'timeout' },
};

it.each(['DispatcherErrors', 'DispatcherTimeouts'])(
  'the pattern of %s matches a timeout as Lambda logs it, and nothing else',
  (name) => {
    const [, block] = checked.find(([section]) => section === name)!;
    const matches = compilePattern(/'(\{.*\})'/.exec(block)![1]!);
    expect(matches(JSON.stringify(timeout))).toBe(true);
    const success = { ...timeout, record: { ...timeout.record, status: 'success' } };
    expect(matches(JSON.stringify(success))).toBe(false);
  },
);
