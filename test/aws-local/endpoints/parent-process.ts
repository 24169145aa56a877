// Starts the DynamoDB and Kinesis endpoints, and waits until the test kills this process.
import { startDynamoDb, startKinesis } from '../../../src/aws-local/endpoints/index.ts';

const endpoints = await Promise.all([
  startDynamoDb({ port: 0, dataFolder: null }),
  startKinesis({ port: 0, dataFolder: null }),
]);
process.stdout.write(`${JSON.stringify(endpoints.map(({ pid }) => pid))}\n`);
