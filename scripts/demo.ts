import { styleText } from 'node:util';
import { readSettings } from '../src/local/settings/settings.ts';
import { startStack } from '../src/local/stack.ts';
import { activation } from './demo/activation.ts';
import { mapReduce } from './demo/map-reduce.ts';
import { newDevice } from './demo/new-device.ts';
import { serviceRequest } from './demo/service-request.ts';
import { session } from './demo/session.ts';
import { Stage } from './demo/stage.ts';
import { tickets } from './demo/tickets.ts';

/*
 * `npm run demo`: starts the whole service in memory and plays a scenario for most of the shipped models by putting
 * events on the stream. Exits with status 1 if a scenario fails.
 */
const quiet = { MILEPOST_DATA: '', MILEPOST_PORT: '0', MILEPOST_KINESIS_PORT: '0' };
const settings = readSettings({
  ...quiet,
  MILEPOST_DYNAMODB_PORT: '0',
  MILEPOST_LAMBDA_PORT: '0',
  MILEPOST_EVENTBRIDGE_PORT: '0',
});
const began = performance.now();
const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;

await using stack = await startStack(settings, {
  env: process.env,
  // Omit the log of the service: the scenarios print their results, including a dead letter.
  log: () => undefined,
});
console.log(styleText('dim', `Milepost is ready after ${seconds()} at ${stack.ready.api}`));

const stage = new Stage(stack.ready);
for (const story of [activation, newDevice, tickets, serviceRequest, mapReduce, session])
  await story(stage);
stage.close();
console.log(styleText('dim', `\nDone after ${seconds()}.`));
