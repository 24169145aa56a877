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
import { virtualEnvironment } from '../support/virtual-environment.ts';
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
/** The folder of the AWS Encryption CLI. */
let encryptionCli: string;

/** Returns the commands of a part of a section that run in the emulator, with names replaced as an operator would. */
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

/** Adds an EventBridge source, the canary, and a key to the deployed app, because runbooks describe their alarms. */
async function addEverySection(): Promise<void> {
  const app = join(project, 'bin', 'app.ts');
  const source = `tracker.addEventBridgeSource('Devices', {
    eventPattern: { source: ['devices'] },
    event: { modelId: 'tickets', transactionId: '$.detail.id' },
  });`;
  const text = await readFile(app, 'utf8');
  const changed = text
    .replace(/^app\.synth/m, `${source}\n$&`)
    .replace(/^ +canary: .*/m, 'canary: true, encryptionKey: key,')
    .replace(
      /^const tracker/m,
      "const key = new Key(stack, 'Key', { enableKeyRotation: true });\n$&",
    )
    .replace(/^import settings/m, "import { Key } from 'aws-cdk-lib/aws-kms';\n$&");
  expect(changed).toContain('canary: true, encryptionKey: key');
  expect(changed).toContain(source);
  await writeFile(app, changed);
}

const bucketPolicy = `aws s3api get-bucket-policy --bucket "$(resource Bucket DispatcherFailures)" --output text --query Policy`;

/** Replaces the policy that the stack set on the failure bucket with a policy that denies writes. */
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
    const requirements = join(import.meta.dirname, 'support', 'encryption-cli-requirements.txt');
    encryptionCli = await virtualEnvironment('Encryption-CLI', requirements);
    // The first folder of the PATH contains this `npx` script itself, so omit it.
    const npx = `export PATH="\${PATH#*:}" AWS_ENDPOINT_URL=${endpoint} AWS_ENDPOINT_URL_CLOUDFORMATION=${cloudFormation.url}
      cd ${project} && exec npx "$@" --no-notices --require-approval never ${withoutUnsupported.join(' ')}`;
    shell = await Shell.open(folder, setup, {
      endpoints: { default: endpoint! },
      env: { ...env, ...api, AWS_ENDPOINT_URL_KMS: endpoint },
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
        expect(await queueLength('Devices')).toBe('0\t0');
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

  // MiniStack does not encrypt events, so the test sends the messages that EventBridge sends: a notification in plain
  // text, and one that EventBridge has encrypted.
  it('UndeliveredNotifications: "Look" shows the disabled key and the reason, and "Do" puts each notification on the bus', async () => {
    await shell.run(receiveFromBus);
    await look('UndeliveredNotifications', /^Disabled$[^]*RULE_DECRYPTION_FAILURE/m, () =>
      shell.run(`export PATH="$PATH:${encryptionCli}"\n${sendUndelivered}`),
    );
    const resend = `export PATH="$PATH:${encryptionCli}"\n${commandsOf('UndeliveredNotifications', 'do')}`;
    await vi.waitFor(
      async () => {
        await shell.run(resend);
        expect(await queueLength('NotificationsDeadLetters')).toBe('0\t0');
      },
      { timeout: 60_000, interval: 1_000 },
    );
    await vi.waitFor(
      async () => {
        const { Messages } = JSON.parse(await shell.run(receive)) as {
          Messages: { Body: string }[];
        };
        const received = Messages.map(({ Body }) => JSON.parse(Body) as typeof undelivered);
        // MiniStack replaces the time of each event.
        expect(
          received
            .map(({ source, 'detail-type': type, detail }) => ({ source, type, detail }))
            .toSorted((a, b) => a.detail.id.localeCompare(b.detail.id)),
        ).toEqual(
          ['encrypted', 'plain'].map((id) => ({
            source: 'milepost',
            type: 'StatusChanged',
            detail: { ...undelivered.detail, id },
          })),
        );
      },
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

const undelivered = {
  version: '0',
  id: '77179969-bebd-4947-a60f-39e1c002dbd9',
  'detail-type': 'StatusChanged',
  source: 'milepost',
  account: '000000000000',
  time: '2026-01-31T12:00:00Z',
  region: 'us-east-1',
  resources: [],
  detail: { id: 'plain', model: 'tickets', status: 'Sold "out" – 100 %' },
};

/**
 * Sends the notifications of the bus to a new queue. Also sets the key of the bus, which MiniStack does not take from the
 * template.
 */
const receiveFromBus = `
BUS=$(resource EventBus Notifications)
KEY=$(aws cloudformation list-stack-resources --stack-name $STACK --output text \
  --query "StackResourceSummaries[?ResourceType=='AWS::KMS::Key'].PhysicalResourceId")
aws events update-event-bus --name "$BUS" \
  --kms-key-identifier "$(aws kms describe-key --key-id "$KEY" --output text --query KeyMetadata.Arn)"
RECEIVED=$(aws sqs create-queue --queue-name received --output text --query QueueUrl)
ARN=$(aws sqs get-queue-attributes --queue-url "$RECEIVED" --attribute-names QueueArn --output text --query Attributes.QueueArn)
aws sqs set-queue-attributes --queue-url "$RECEIVED" --attributes "$(jq -nc --arg arn "$ARN" '{ Policy:
  ({ Statement: [{ Effect: "Allow", Principal: { Service: "events.amazonaws.com" }, Action: "sqs:SendMessage", Resource: $arn }] } | tojson) }')"
aws events put-rule --name received --event-bus-name "$BUS" --event-pattern '{"source":["milepost"]}'
aws events put-targets --rule received --event-bus-name "$BUS" --targets "Id=received,Arn=$ARN"
`;

const receive = `aws sqs receive-message --queue-url "$RECEIVED" --max-number-of-messages 10 --visibility-timeout 0 --output json`;

/**
 * Sends an undelivered notification in both forms to the dead-letter queue of the bus, and disables the key.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-event-bus-dlq-decrypt.html
 */
const sendUndelivered = `
send() { aws sqs send-message --queue-url "$QUEUE" --message-body "$1" --message-attributes '${JSON.stringify(
  {
    ERROR_CODE: { DataType: 'String', StringValue: 'RULE_DECRYPTION_FAILURE' },
    ERROR_MESSAGE: {
      DataType: 'String',
      StringValue: 'Unable to decrypt rule using the Kms key.',
    },
  },
)}'; }
EVENT='${JSON.stringify(undelivered)}'
send "$EVENT"
PAYLOAD=$(jq -c '.detail.id = "encrypted"' <<<"$EVENT" |
  aws-encryption-cli --encrypt --suppress-metadata --encode --input - --output - --wrapping-keys "key=$KEY" \
    --algorithm AES_256_GCM_HKDF_SHA512_COMMIT_KEY --encryption-context aws:events:event-bus:arn="$BUS")
send "$(jq -nc --arg key "$KEY" --arg payload "$PAYLOAD" '{ version: "0", id: "053afa53-cdd7-285b-e754-b0dfd0ac0bfb",
  source: "aws.events", "detail-type": "Encrypted Events", detail: { "kms-key-arn": $key, "encrypted-payload": $payload } }')"
aws kms disable-key --key-id "$KEY"
`;

/**
 * Returns the number of visible messages and the number of received messages that are not deleted.
 *
 * @param queue the prefix of the queue's logical id
 */
const queueLength = async (queue: string) =>
  (
    await shell.run(`aws sqs get-queue-attributes --queue-url "$(resource Queue ${queue})" --output text \
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
