import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { describeModel } from '../src/aws/describe-model.ts';
import { DynamoDbRegistryWriter } from '../src/aws/registry-writer.ts';
import { systemClock } from '../src/core/clock.ts';
import {
  answerCustomResource,
  type CustomResourceRequest,
} from '../src/service/custom-resource.ts';
import { modelResource } from '../src/service/model-resource.ts';
import { setting } from './support/environment.ts';

/** Kept back from the function's time, in milliseconds, to tell CloudFormation that it ran out. */
const timeToAnswer = 15_000;

const functions = new LambdaClient();
const database = new DynamoDBClient();

// Not while the file is loaded: what throws there reaches CloudFormation only as a long silence.
async function work(request: CustomResourceRequest, signal: AbortSignal): Promise<string> {
  const resource = modelResource({
    describeModel: describeModel(functions),
    registry: new DynamoDbRegistryWriter(database, setting('MILEPOST_REGISTRY_TABLE')),
    clock: systemClock,
  });
  return resource(request, signal);
}

/** The custom resource `Custom::MilepostModel`, called by CloudFormation itself. */
export async function handler(request: CustomResourceRequest, context: Context): Promise<void> {
  const timeout = context.getRemainingTimeInMillis() - timeToAnswer;
  await answerCustomResource(request, work, { timeout });
}
