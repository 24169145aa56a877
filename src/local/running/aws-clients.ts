import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { region } from '../../aws-local/account.ts';

// The SDK requires credentials to sign requests, but the local endpoints accept any credentials.
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

// Override the settings for AWS in the environment and in the user's profile. The SDK rejects a FIPS or dual-stack
// endpoint together with an endpoint URL.
const settings = { region, credentials, useFipsEndpoint: false, useDualstackEndpoint: false };

/** Creates a client for the embedded DynamoDB. */
export const dynamoDbClient = (endpoint: string) => new DynamoDBClient({ ...settings, endpoint });

/**
 * Creates a client for the embedded Kinesis. The client uses HTTP/1.1, which takes less CPU time per request on one
 * machine than HTTP/2.
 */
export const kinesisClient = (endpoint: string) =>
  new KinesisClient({ ...settings, endpoint, requestHandler: new NodeHttpHandler() });

/** Returns the environment variables for all functions: the addresses of the embedded endpoints, and local settings. */
export function runtimeEnvironment(
  urls: Record<
    'dynamodb' | 'eventbridge' | 'kinesis' | 'kms' | 'lambda' | 'secretsManager',
    string
  >,
) {
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb,
    AWS_ENDPOINT_URL_EVENTBRIDGE: urls.eventbridge,
    AWS_ENDPOINT_URL_KINESIS: urls.kinesis,
    AWS_ENDPOINT_URL_KMS: urls.kms,
    AWS_ENDPOINT_URL_LAMBDA: urls.lambda,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: urls.secretsManager,
    // Metrics, alarms, the archive, and the queue of wake-ups exist only in AWS. On this machine, wake-ups are
    // unnecessary because the clock runs every second.
    MILEPOST_ONLY_IN_AWS: '',
    MILEPOST_EVENT_SOURCES_ONLY_IN_AWS: '',
    MILEPOST_WAKEUPS: '',
    // Allow event data in logs because only the user who runs the service sees the terminal.
    MILEPOST_EVENT_DATA_IN_LOGS: 'on',
  };
}
