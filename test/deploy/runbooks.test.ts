import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listen, type RunningServer } from '../../src/aws-local/server/listen.ts';
import { blocksIn, coverage } from '../runbooks/coverage.ts';
import { Shell } from '../runbooks/world/shell.ts';
import { copyOfProject } from '../support/docs/copy-of-project.ts';
import { readRunbooks } from '../support/docs/runbooks.ts';
import { instancePath } from '../support/service/service.ts';
import { type Account, openAccount } from './support/account.ts';
import { Commands, type Outputs, withoutUnsupported } from './support/commands.ts';
import { DeployedApi } from './support/deployed-api.ts';
import { driftAwareCloudFormation } from './support/drift-aware-cloudformation.ts';

const { setup, runbooks } = await readRunbooks('docs/how-to/respond-to-alarms.md');
/** The maximum duration of a deployment, in milliseconds. */
const deploymentMs = 900_000;

let account: Account;
let project: string;
let folder: string;
let outputs: Outputs;
let commands: Commands;
let cloudFormation: RunningServer;
let shell: Shell;

/**
 * Returns the commands of part of a section that run in the emulator, with the names that an operator would replace.
 */
function commandsOf(
  section: string,
  part: 'look' | 'do',
  names: Readonly<Record<string, string>> = {},
): string {
  const runbook = runbooks.find(({ name }) => name === section)!;
  const blocks = blocksIn('emulator', runbook[part], coverage[section]![part]).join('\n');
  return Object.entries(names).reduce((text, [shown, actual]) => {
    expect(text).toContain(shown);
    return text.replaceAll(shown, actual);
  }, blocks);
}

/** Checks that the commands under "Look" show a fault only after its cause. */
async function look(section: string, fault: RegExp, cause: () => Promise<unknown>): Promise<void> {
  const commandsOfLook = commandsOf(section, 'look');
  expect(await shell.run(commandsOfLook)).not.toMatch(fault);
  await cause();
  expect(await shell.run(commandsOfLook)).toMatch(fault);
}

/** Adds an EventBridge source and the canary to the deployed app, because runbooks describe their alarms. */
async function addEverySection(): Promise<void> {
  const app = join(project, 'bin', 'app.ts');
  const source = `tracker.addEventBridgeSource('Devices', {
    eventPattern: { source: ['devices'] },
    event: { modelId: 'tickets', transactionId: '$.detail.id' },
  });`;
  const text = await readFile(app, 'utf8');
  const changed = text
    .replace(/^app\.synth/m, `${source}\n$&`)
    .replace(/^ +canary: .*/m, 'canary: true,');
  expect(changed).toContain('canary: true');
  expect(changed).toContain(source);
  await writeFile(app, changed);
}

const bucketPolicy = `aws s3api get-bucket-policy --bucket "$(resource Bucket DispatcherFailures)" --output text --query Policy`;

/** Replaces the policy that the stack set on the failure bucket with one that denies writes. */
const denyWriting = `
BUCKET=$(resource Bucket DispatcherFailures)
aws s3api put-bucket-policy --bucket "$BUCKET" --policy "$(jq -nc --arg arn "arn:aws:s3:::$BUCKET/*" \
  '{ Version: "2012-10-17", Statement: [{ Sid: "Mistake", Effect: "Deny", Principal: "*", Action: "s3:PutObject", Resource: $arn }] }')"
`;

describe('the runbooks in MiniStack', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    project = await copyOfProject();
    await addEverySection();
    folder = await mkdtemp(join(tmpdir(), 'milepost-operator-'));
    account = await openAccount.ministack();
    commands = new Commands(account, project);
    await commands.bootstrap();
    outputs = await commands.deploy();
    const { AWS_ENDPOINT_URL: endpoint, ...env } = account.variables;
    let originalPolicy = '';
    const server = driftAwareCloudFormation({
      endpoint: endpoint!,
      ca: await readFile(env.AWS_CA_BUNDLE!),
      revertDrift: () =>
        shell.run(
          `aws s3api put-bucket-policy --bucket "$(resource Bucket DispatcherFailures)" --policy '${originalPolicy}'`,
        ),
    });
    cloudFormation = await listen(server, 0);
    const api = { MILEPOST_API: account.apiFor(outputs.ApiUrl) };
    // The first folder of the PATH contains this `npx` script itself, so omit it.
    const npx = `export PATH="\${PATH#*:}" AWS_ENDPOINT_URL=${endpoint} AWS_ENDPOINT_URL_CLOUDFORMATION=${cloudFormation.url}
      cd ${project} && exec npx "$@" --no-notices --require-approval never ${withoutUnsupported.join(' ')}`;
    shell = await Shell.open(folder, setup, {
      endpoints: { default: endpoint! },
      env: { ...env, ...api },
      npx,
    });
    originalPolicy = (await shell.run(bucketPolicy)).trim();
  }, deploymentMs);

  afterAll(async () => {
    await cloudFormation?.[Symbol.asyncDispose]();
    await account?.close();
    for (const each of [project, folder])
      if (each) await rm(each, { recursive: true, force: true });
  });

  it('IteratorAge: "Look" shows more records and throttled writes, and MiniStack accepts the commands under "Do"', async () => {
    await look('IteratorAge', /\t7000\.0[^]*\t42\.0/, async () => {
      await putMetric('AWS/Kinesis', 'IncomingRecords', 'StreamName="$(output StreamName)"', 7_000);
      const table = 'TableName="$(output InstancesTable)"';
      await putMetric('AWS/DynamoDB', 'WriteThrottleEvents', table, 42);
    });
    // MiniStack does not store the warm throughput.
    const { TableDescription } = JSON.parse(await shell.run(commandsOf('IteratorAge', 'do'))) as {
      TableDescription: object;
    };
    expect(TableDescription).toMatchObject({ TableName: outputs.InstancesTable });
  });

  // MiniStack does not read a stream for a version of a function, so this test checks that the second mapping exists,
  // but not its effect.
  it('Dropped: "Look" shows the bucket policy, and "Do" restores it and adds a mapping that starts before the failure', async () => {
    await look('Dropped', /Mistake/, () => shell.run(denyWriting));
    const since = new Date(Date.now() - 60_000).toISOString();
    const output = await shell.run(commandsOf('Dropped', 'do', { '2027-05-14T03:00:00Z': since }));
    expect(await shell.run(commandsOf('Dropped', 'look'))).not.toContain('Mistake');
    expect(JSON.parse(output.slice(output.indexOf('\n{')).split(/(?<=^\})/m)[0]!)).toMatchObject({
      FunctionArn: expect.stringMatching(/DispatcherFunction.*:1$/),
      EventSourceArn: expect.stringMatching(/milepost-events$/),
      StartingPosition: 'AT_TIMESTAMP',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  it('MissingRecords: "Look" shows more records put than received, and "Do" allows one batch per shard', async () => {
    // The test of another runbook may have put 7,000 records in the same period.
    await look('MissingRecords', /\t(9000|16000)\.0/, () =>
      putMetric('AWS/Kinesis', 'IncomingRecords', 'StreamName="$(output StreamName)"', 9_000),
    );
    await shell.run(commandsOf('MissingRecords', 'do'));
    expect(await shell.run(commandsOf('MissingRecords', 'look'))).toMatch(/\t1$/m);
  });

  it('NotificationsDropped: "Look" shows the bucket policy, and "Do" keeps notifications for seven days', async () => {
    await look('NotificationsDropped', /Mistake/, () => shell.run(denyWriting));
    expect(await notificationStream('RetentionPeriodHours')).toBe('24');
    await shell.run(commandsOf('NotificationsDropped', 'do'));
    expect(await notificationStream('RetentionPeriodHours')).toBe('168');
  });

  it('NotificationThrottles: "Look" shows rejected records, and "Do" adds a shard', async () => {
    await look('NotificationThrottles', /\t12\.0/, () =>
      putMetric(
        'AWS/Kinesis',
        'PutRecords.ThrottledRecords',
        'StreamName="$(resource Stream NotificationStream)"',
        12,
      ),
    );
    expect(await notificationStream('OpenShardCount')).toBe('1');
    await shell.run(commandsOf('NotificationThrottles', 'do'));
    expect(await notificationStream('OpenShardCount')).toBe('2');
  });

  // MiniStack has no auto scaling, so this test checks that the command succeeds, but not its effect on provisioned
  // capacity.
  it.each([
    ['WriteThrottles', 'WriteThrottleEvents', 17, /\t(17|59)\.0/],
    ['ReadThrottles', 'ReadThrottleEvents', 18, /\t18\.0/],
  ])(
    '%s: "Look" shows throttled requests, and "Do" switches to on-demand mode',
    async (section, metric, value, shown) => {
      await look(section, shown, () =>
        putMetric('AWS/DynamoDB', metric, 'TableName="$(output InstancesTable)"', value),
      );
      expect(JSON.parse(await shell.run(commandsOf(section, 'do')))).toMatchObject({
        TableDescription: { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' } },
      });
    },
  );

  it.each([
    ['ClockErrors', 'Clock'],
    ['Canary', 'Canary'],
  ])('%s: "Look" shows a disabled rule, and "Do" enables it', async (section, rule) => {
    await look(section, /^DISABLED$/m, () =>
      shell.run(`aws events disable-rule --name "$(resource Rule ${rule})"`),
    );
    await shell.run(commandsOf(section, 'do'));
    expect(await shell.run(commandsOf(section, 'look'))).toBe('ENABLED\n');
  });

  // MiniStack does not support dead-letter queues for rules, so the test sends the message as EventBridge does.
  it('NotPut: "Look" shows the reason, and "Do" puts each event on the stream once', async () => {
    await look('NotPut', /"StringValue": "NO_PERMISSIONS"/, async () => {
      await shell.run(sendToQueue);
      await shell.run(sendToQueue);
    });
    const api = new DeployedApi(account, outputs.ApiUrl);
    await vi.waitFor(
      async () => {
        await shell.run(commandsOf('NotPut', 'do'));
        expect(await queueLength()).toBe('0\t0');
      },
      { timeout: 60_000, interval: 1_000 },
    );
    await vi.waitFor(
      async () =>
        expect(await api.ask(`${instancePath('tickets', 'D-1')}/history`)).toMatchObject({
          status: 200,
          body: { entries: [{ event: { id: 'bus-1', source: 'devices' }, outcome: 'applied' }] },
        }),
      { timeout: 30_000, interval: 500 },
    );
  });
});

/** Stores a metric value for the last minute, because MiniStack does not measure it. */
const putMetric = (namespace: string, name: string, dimension: string, value: number) =>
  shell.run(
    `aws cloudwatch put-metric-data --namespace ${namespace} --metric-name ${name} --dimensions ${dimension} \
       --value ${value} --timestamp $(($(date +%s) - 60))`,
  );

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html */
const sendToQueue = `aws sqs send-message --queue-url "$(resource Queue Devices)" \
  --message-body '${JSON.stringify({
    version: '0',
    id: 'bus-1',
    'detail-type': 'event.created',
    source: 'devices',
    account: '000000000000',
    time: '2026-01-31T12:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail: { id: 'D-1', available: 4 },
  })}' --message-attributes '${JSON.stringify({
    ERROR_CODE: { DataType: 'String', StringValue: 'NO_PERMISSIONS' },
    ERROR_MESSAGE: {
      DataType: 'String',
      StringValue: 'The role of the rule has no access to the stream.',
    },
  })}'`;

/** Returns the number of visible messages and the number of received messages that are not deleted. */
const queueLength = async () =>
  (
    await shell.run(`aws sqs get-queue-attributes --queue-url "$(resource Queue Devices)" --output text \
      --attribute-names ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible \
      --query 'Attributes.[ApproximateNumberOfMessages,ApproximateNumberOfMessagesNotVisible]'`)
  ).trim();

const notificationStream = async (field: string) =>
  (
    await shell.run(
      `aws kinesis describe-stream-summary --stream-name "$(resource Stream NotificationStream)" \
         --output text --query StreamDescriptionSummary.${field}`,
    )
  ).trim();
