import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { ProcessTracker } from 'milepost/cdk';

// Deploys each folder of models/ that contains a lambda.ts, with the folder's name as the model's id.
const models = join(import.meta.dirname, '..', 'models');

const app = new App();
const stack = new Stack(app, 'Milepost');
const tracker = new ProcessTracker(stack, 'Tracker');

for (const id of readdirSync(models)) {
  const entry = join(models, id, 'lambda.ts');
  if (existsSync(entry)) tracker.addModel(id, { entry });
}

const output = (name: string, value: string) => new CfnOutput(stack, name, { value });
output('StreamName', tracker.stream.streamName);
output('ApiUrl', tracker.apiUrl);
output('InstancesTable', tracker.instancesTable.tableName);
output('RegistryTable', tracker.registryTable.tableName);
output('DeadLettersTable', tracker.deadLettersTable.tableName);
