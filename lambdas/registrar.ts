import type { Context } from 'aws-lambda';
import { IndexPartitionsWriter } from '../src/aws/instances/index-partitions-writer.ts';
import {
  answerCustomResource,
  type CustomResourceRequest,
  type TimedRequest,
} from '../src/aws/registry/custom-resource.ts';
import { describeModel } from '../src/aws/registry/describe-model.ts';
import { DynamoDbRegistryWriter } from '../src/aws/registry/dynamodb-registry-writer.ts';
import { publishedVersions } from '../src/aws/registry/published-versions.ts';
import { systemClock } from '../src/common/clock.ts';
import { messageOf } from '../src/common/message-of.ts';
import { modelResourceHandler } from '../src/registrar/model-resource.ts';
import type { RegistrationResult } from '../src/registrar/register-model.ts';
import { retireVersions } from '../src/registrar/retire-versions.ts';
import { clients } from './support/clients.ts';
import { serviceOptions } from './support/service-options.ts';
import { setting } from './support/settings.ts';

/** How much of the invocation's time to reserve for reporting a timeout to CloudFormation, in milliseconds. */
const timeToAnswer = 15_000;
/**
 * How long before the function's timeout the last request to delete a version may start, in milliseconds. A request
 * ends within 9 seconds. The function must not time out, because Lambda would then retry the invocation.
 */
const timeToEnd = 10_000;

// Create the dependencies during the invocation so that errors are reported to CloudFormation. If the module failed to
// load, CloudFormation would wait until its own timeout.
const worker = (onRegistered: (registered: RegistrationResult) => void) =>
  async function work(request: TimedRequest, signal: AbortSignal): Promise<string> {
    const database = clients.dynamoDb();
    const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
    const dependencies = {
      describeModel: describeModel(clients.lambda()),
      registry: new DynamoDbRegistryWriter(database, setting('MILEPOST_REGISTRY_TABLE')),
      partitions: new IndexPartitionsWriter(database, instancesTable, systemClock),
      clock: systemClock,
    };
    return modelResourceHandler(dependencies, onRegistered)(request, signal);
  };

function logUndeletedVersion(error: unknown): void {
  console.warn({ message: 'failed to delete a function version', reason: messageOf(error) });
}

/**
 * Handles requests for the custom resource `Custom::MilepostModel`, which CloudFormation sends directly to this
 * function.
 */
export async function handler(request: CustomResourceRequest, context: Context): Promise<void> {
  const timeout = context.getRemainingTimeInMillis() - timeToAnswer;
  let registered: RegistrationResult | undefined;
  const work = worker((made) => (registered = made));
  await answerCustomResource(request, work, { timeout });
  // Delete versions only after the response so that a failed or slow deletion neither fails nor delays the deployment.
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - timeToEnd));
  if (registered) {
    const versions = publishedVersions(serviceOptions('lambda', 'LAMBDA'), signal);
    await retireVersions(versions, registered, logUndeletedVersion);
  }
}
