import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import {
  answerCustomResource,
  type CustomResourceRequest,
} from '../src/aws/registry/custom-resource.ts';
import { describeModel } from '../src/aws/registry/describe-model.ts';
import { DynamoDbRegistryWriter } from '../src/aws/registry/dynamodb-registry-writer.ts';
import { publishedVersions } from '../src/aws/registry/published-versions.ts';
import { systemClock } from '../src/common/clock.ts';
import { messageOf } from '../src/common/message-of.ts';
import { modelResourceHandler } from '../src/registrar/model-resource.ts';
import { type RegistrationResult } from '../src/registrar/register-model.ts';
import { retireVersions } from '../src/registrar/retire-versions.ts';
import { clients } from './support/clients.ts';
import { setting } from './support/settings.ts';

/** Kept back from the function's time, in milliseconds, to tell CloudFormation that it ran out. */
const timeToAnswer = 15_000;
/** Kept back when old versions are deleted: a function that runs out of its time would be run again. */
const timeToEnd = 5_000;

const functions = new LambdaClient();

// Not while the file is loaded: what throws there reaches CloudFormation only as a long silence.
const worker = (onRegistered: (registered: RegistrationResult) => void) =>
  async function work(request: CustomResourceRequest, signal: AbortSignal): Promise<string> {
    const dependencies = {
      describeModel: describeModel(functions),
      registry: new DynamoDbRegistryWriter(clients.dynamoDb(), setting('MILEPOST_REGISTRY_TABLE')),
      clock: systemClock,
    };
    return modelResourceHandler(dependencies, onRegistered)(request, signal);
  };

function logUndeletedVersion(error: unknown): void {
  console.warn({ message: 'a version was not deleted', reason: messageOf(error) });
}

/** The custom resource `Custom::MilepostModel`, called by CloudFormation itself. */
export async function handler(request: CustomResourceRequest, context: Context): Promise<void> {
  const timeout = context.getRemainingTimeInMillis() - timeToAnswer;
  let registered: RegistrationResult | undefined;
  const work = worker((made) => (registered = made));
  await answerCustomResource(request, work, { timeout });
  // After the answer: no deployment fails, or waits, for a version that cannot be deleted.
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - timeToEnd));
  if (registered)
    await retireVersions(publishedVersions(functions, signal), registered, logUndeletedVersion);
}
