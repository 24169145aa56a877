import { cloudWatch } from '../../src/aws/client/cloudwatch.ts';
import { dynamoDb } from '../../src/aws/client/dynamodb.ts';
import { eventSourceMappings } from '../../src/aws/client/event-source-mappings.ts';
import { eventBridge } from '../../src/aws/client/eventbridge.ts';
import { firehose } from '../../src/aws/client/firehose.ts';
import { kinesis } from '../../src/aws/client/kinesis.ts';
import { kms } from '../../src/aws/client/kms.ts';
import { lambda } from '../../src/aws/client/lambda.ts';
import { secretsManager } from '../../src/aws/client/secrets-manager.ts';
import { sqs } from '../../src/aws/client/sqs.ts';
import { xray } from '../../src/aws/client/xray.ts';
import { isTraced, traceHeader } from './monitoring/tracing.ts';
import { serviceOptions } from './service-options.ts';

/** Creates clients of AWS services, configured by environment variables. */
export const clients = {
  cloudWatch: () => cloudWatch(serviceOptions('monitoring', 'CLOUDWATCH')),
  dynamoDb: () => dynamoDb(serviceOptions('dynamodb', 'DYNAMODB')),
  eventSourceMappings: () => eventSourceMappings(serviceOptions('lambda', 'LAMBDA')),
  firehose: () => firehose(serviceOptions('firehose', 'FIREHOSE')),
  kinesis: () => kinesis(serviceOptions('kinesis', 'KINESIS')),
  kms: () => kms(serviceOptions('kms', 'KMS')),
  eventBridge: () => eventBridge(serviceOptions('events', 'EVENTBRIDGE')),
  secretsManager: () => secretsManager(serviceOptions('secretsmanager', 'SECRETS_MANAGER')),
  lambda: () =>
    lambda({
      ...serviceOptions('lambda', 'LAMBDA'),
      // The trace header connects the invoked functions to the caller's trace.
      ...(isTraced && { traceHeader }),
    }),
  sqs: () => sqs(serviceOptions('sqs', 'SQS')),
  xray: () => xray(serviceOptions('xray', 'XRAY')),
};
