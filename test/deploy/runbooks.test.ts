import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksIn, coverage } from '../runbooks/coverage.ts';
import { Shell } from '../runbooks/world/shell.ts';
import { copyOfProject } from '../support/docs/copy-of-project.ts';
import { readRunbooks } from '../support/docs/runbooks.ts';
import { type Account, openAccount } from './support/account.ts';
import { Commands, type Outputs } from './support/commands.ts';

const { setup, runbooks } = await readRunbooks('docs/how-to/respond-to-alarms.md');
/** The time for a deployment, in milliseconds. */
const deploymentMs = 900_000;

let account: Account;
let project: string;
let folder: string;
let outputs: Outputs;
let commands: Commands;
let shell: Shell;

/** Runs the commands of a part of a section, with names that an operator would replace. */
function run(
  section: string,
  part: 'look' | 'do',
  names: Readonly<Record<string, string>> = {},
): Promise<string> {
  const runbook = runbooks.find(({ name }) => name === section)!;
  const blocks = blocksIn('emulator', runbook[part], coverage[section]![part]).join('\n');
  const renamed = Object.entries(names).reduce((text, [shown, actual]) => {
    expect(text).toContain(shown);
    return text.replaceAll(shown, actual);
  }, blocks);
  return shell.run(renamed);
}

/** The policy that the stack gives to the bucket, with a statement that denies writing. */
const denyWriting = `
BUCKET=$(resource Bucket DispatcherFailures)
aws s3api put-bucket-policy --bucket "$BUCKET" --policy "$(jq -nc --arg arn "arn:aws:s3:::$BUCKET/*" \
  '{ Version: "2012-10-17", Statement: [{ Sid: "Mistake", Effect: "Deny", Principal: "*", Action: "s3:PutObject", Resource: $arn }] }')"
`;

describe('the runbooks in MiniStack', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    project = await copyOfProject();
    folder = await mkdtemp(join(tmpdir(), 'milepost-operator-'));
    account = await openAccount.ministack();
    commands = new Commands(account, project);
    await commands.bootstrap();
    outputs = await commands.deploy();
    const { AWS_ENDPOINT_URL: endpoint, ...env } = account.variables;
    const api = { MILEPOST_API: account.apiFor(outputs.ApiUrl) };
    shell = await Shell.open(folder, setup, {
      endpoints: { default: endpoint! },
      env: { ...env, ...api },
      npx: 'exit 1',
    });
  }, deploymentMs);

  afterAll(async () => {
    await account?.close();
    for (const each of [project, folder])
      if (each) await rm(each, { recursive: true, force: true });
  });

  // MiniStack does not read a stream for a version of a function, so this shows the second mapping and not its effect.
  it('Dropped: Look shows the bucket policy, and Do adds a mapping that starts before the failure', async () => {
    await shell.run(denyWriting);
    expect(await run('Dropped', 'look')).toContain('Mistake');
    const since = new Date(Date.now() - 60_000).toISOString();
    const created = JSON.parse(
      await run('Dropped', 'do', { '2027-05-14T03:00:00Z': since }),
    ) as object;
    expect(created).toMatchObject({
      FunctionArn: expect.stringMatching(/DispatcherFunction.*:1$/),
      EventSourceArn: expect.stringMatching(/milepost-events$/),
      StartingPosition: 'AT_TIMESTAMP',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  it('NotificationsDropped: Look shows the mapping, and Do keeps notifications for seven days', async () => {
    expect(await run('NotificationsDropped', 'look')).toMatch(/^".+"$/m);
    await run('NotificationsDropped', 'do');
    expect(await notificationStream('RetentionPeriodHours')).toBe('168');
  });

  it('NotificationThrottles: Do adds a shard', async () => {
    await run('NotificationThrottles', 'do');
    expect(await notificationStream('OpenShardCount')).toBe('2');
  });

  it('ClockErrors: Look shows a disabled rule, and Do enables it', async () => {
    await shell.run('aws events disable-rule --name "$(resource Rule Clock)"');
    expect(await run('ClockErrors', 'look')).toBe('DISABLED\n');
    await run('ClockErrors', 'do');
    expect(await run('ClockErrors', 'look')).toBe('ENABLED\n');
  });
});

const notificationStream = async (field: string) =>
  (
    await shell.run(
      `aws kinesis describe-stream-summary --stream-name "$(resource Stream NotificationStream)" \
         --output text --query StreamDescriptionSummary.${field}`,
    )
  ).trim();
