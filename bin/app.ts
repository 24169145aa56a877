import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import settings from '../cdk.json' with { type: 'json' };
import { ProcessTracker } from '../lib/index.ts';

/* Milepost with every model that is in models/, as it is deployed and as it runs on one machine. */
const root = join(import.meta.dirname, '..');
const models = join(root, 'models');

// The CDK's command line would hand these over; without it the template must come out the same.
const app = new App({ context: settings.context });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

const stack = new Stack(app, 'Milepost', { description: 'Milepost: process status tracking' });
// New accounts have too few concurrent executions to reserve any: see docs/how-to/deploy.md.
const reservesNone = app.node.tryGetContext('reservedConcurrency') === 'none';
const tracker = new ProcessTracker(stack, 'Tracker', {
  customerPages: true,
  // None of these models marks sensitive fields: `cdk deploy -c personalData=true` makes keys for those that do.
  personalData: String(app.node.tryGetContext('personalData')) === 'true',
  // Emulators do not know how to rotate secrets: see docs/how-to/deploy.md.
  ...(app.node.tryGetContext('signingKeyRotation') === 'none' && { signingKeyRotation: 'none' }),
  ...(reservesNone && {
    apiReservedConcurrency: 'none',
    customerPagesReservedConcurrency: 'none',
  }),
});

// The models of one machine have them: faults name the position in the sources.
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

const output = (name: string, value: string) => new CfnOutput(stack, name, { value });
output('StreamName', tracker.stream.streamName);
output('ApiUrl', tracker.apiUrl);
output('InstancesTable', tracker.instancesTable.tableName);
output('RegistryTable', tracker.registryTable.tableName);
output('DeadLettersTable', tracker.deadLettersTable.tableName);

app.synth();
