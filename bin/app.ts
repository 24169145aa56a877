import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import type { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import settings from '../cdk.json' with { type: 'json' };
import { ProcessTracker } from '../lib/index.ts';

/* The CDK app, which deploys Milepost with every model in models/. `npm start` runs the same app on one machine. */
const root = join(import.meta.dirname, '..');
const models = join(root, 'models');

// The CDK CLI passes the context in cdk.json. Synthesis without the CLI must produce the same template, so pass the
// context here.
const app = new App({ context: settings.context });
const isOn = (setting: string) => String(app.node.tryGetContext(setting)) === 'true';
const isNone = (setting: string) => app.node.tryGetContext(setting) === 'none';

// The local service sets this context to skip the checks, because it deploys nothing.
if (!isNone('nag')) {
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

const stack = new Stack(app, 'Milepost', { description: 'Milepost: process status tracking' });
const tracker = new ProcessTracker(stack, 'Tracker', {
  customerPages: true,
  // No shipped model has sensitive fields. If one of your models has such fields, run `cdk deploy -c
  // personalData=true`.
  personalData: isOn('personalData'),
  // Off by default, because a canary costs about $1.30 per month. To turn it on, run `cdk deploy -c canary=true`.
  canary: isOn('canary'),
  // Off by default, because an archive adds a function, a delivery stream, and a bucket. To turn it on, run `cdk deploy
  // -c archive=true`.
  archive: isOn('archive'),
  // Emulators do not support secret rotation: see docs/how-to/deploy-to-an-emulator.md.
  ...(isNone('signingKeyRotation') && { signingKeyRotation: 'none' }),
  // A new AWS account has too few concurrent executions to reserve any, or to run ten dispatchers per shard: see
  // docs/how-to/deploy.md.
  ...(isNone('reservedConcurrency') && {
    apiReservedConcurrency: 'none',
    customerPagesReservedConcurrency: 'none',
    parallelizationFactor: 1,
  }),
});

// The local service sets this context so that reported faults point to positions in the TypeScript source.
const sourceMaps = isOn('sourceMaps');
for (const id of readdirSync(models).toSorted()) {
  const entry = join(models, id, 'lambda.ts');
  if (existsSync(entry))
    tracker.addModel(id, {
      entry,
      sourceMaps,
      depsLockFilePath: join(root, 'package-lock.json'),
    });
}

// MiniStack neither supports alarms on expressions nor evaluates alarms: see docs/how-to/deploy-to-an-emulator.md.
if (isNone('metricMath'))
  for (const alarm of tracker.alarms) {
    const resource = alarm.node.defaultChild as CfnAlarm;
    if (!resource.metrics) continue;
    const metric = {
      namespace: 'Milepost',
      metricName: 'Expression',
      statistic: 'Sum',
      period: 60,
    };
    Object.assign(resource, { metrics: undefined, ...metric });
  }

const output = (name: string, value: string) => new CfnOutput(stack, name, { value });
output('StreamName', tracker.stream.streamName);
output('ApiUrl', tracker.apiUrl);
output('InstancesTable', tracker.instancesTable.tableName);
output('RegistryTable', tracker.registryTable.tableName);
output('DeadLettersTable', tracker.deadLettersTable.tableName);

app.synth();
