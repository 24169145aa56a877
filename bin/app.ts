import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import type { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import settings from '../cdk.json' with { type: 'json' };
import { ProcessTracker } from '../lib/index.ts';

/* The CDK app, which deploys Milepost with every model in models/. `npm start` runs the same app on one machine. */
const root = join(import.meta.dirname, '..');
const models = join(root, 'models');

// The CDK CLI passes this context; synthesis without the CLI must produce the same template.
const app = new App({ context: settings.context });
// The local service deploys nothing, so it sets this context.
if (app.node.tryGetContext('nag') !== 'none') {
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

const stack = new Stack(app, 'Milepost', { description: 'Milepost: process status tracking' });
// A new AWS account has too few concurrent executions to reserve any: see docs/how-to/deploy.md.
const reservesNone = app.node.tryGetContext('reservedConcurrency') === 'none';
const tracker = new ProcessTracker(stack, 'Tracker', {
  customerPages: true,
  // No shipped model has sensitive fields. For models that do: `cdk deploy -c personalData=true`.
  personalData: String(app.node.tryGetContext('personalData')) === 'true',
  // A canary costs about $1.30 a month: `cdk deploy -c canary=true`.
  canary: String(app.node.tryGetContext('canary')) === 'true',
  // An archive needs more resources: `cdk deploy -c archive=true`.
  archive: String(app.node.tryGetContext('archive')) === 'true',
  // Emulators do not support the rotation of secrets: see docs/how-to/deploy.md.
  ...(app.node.tryGetContext('signingKeyRotation') === 'none' && { signingKeyRotation: 'none' }),
  ...(reservesNone && {
    apiReservedConcurrency: 'none',
    customerPagesReservedConcurrency: 'none',
  }),
});

// The local service sets this context, so that faults name the position in the source.
const sourceMaps = String(app.node.tryGetContext('sourceMaps')) === 'true';
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
if (app.node.tryGetContext('metricMath') === 'none')
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
