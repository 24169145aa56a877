import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer, ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { ApiRoles } from './api/roles.ts';
import type { OperatorPagesProps } from './pages/operator-pages.ts';
import type { Notifications } from './pipeline/notifications.ts';
import type { ProvisionedCapacity } from './storage/provisioned-capacity.ts';

/** The issuer and audience of JSON Web Tokens that grant access to the HTTP API. */
export interface ApiTokens {
  /** The issuer's URL, such as `https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf`. */
  readonly issuer: string;
  /**
   * The accepted client ids. The `aud` claim of a token, or its `client_id` claim if it has no `aud`, must be one of
   * these ids.
   */
  readonly audience: readonly string[];
  /**
   * The claim that contains a caller's groups or roles: its name, such as `groups` or `https://example.com/roles`, or a
   * JSON Pointer to a nested claim, such as `/realm_access/roles`.
   *
   * @default 'cognito:groups'
   */
  readonly rolesClaim?: string;
  /** The names that grant each role if the claim contains them. @default `viewer` and `operator` */
  readonly roles?: ApiRoles;
}

/** The settings of a tracker. All are optional: `new ProcessTracker(this, 'Tracker')` creates a complete tracker. */
export interface ProcessTrackerProps {
  /**
   * The event stream's name, which must be unique in the account and region. If you change the name of a deployed
   * tracker, it gets new, empty streams (docs/how-to/deploy.md).
   *
   * @default 'milepost-events'
   */
  readonly streamName?: string;
  /**
   * How long the event stream keeps events, from 1 to 365 days. The default leaves enough time to fix a failure after a
   * long weekend, and to reread events. AWS charges for retention beyond a day.
   *
   * @default 7 days
   */
  readonly streamRetention?: Duration;
  /**
   * The key that encrypts the tables, streams, secrets, notification bus, and buckets, except for buckets with access
   * logs. Log groups use CloudWatch's encryption, access logs in S3 use S3's, and queues use SQS's: the dead-letter
   * queues keep events that EventBridge cannot deliver because it cannot use the key. To replace the key of a deployed
   * tracker, see docs/how-to/deploy.md.
   *
   * @default keys that AWS manages
   */
  readonly encryptionKey?: IKey;
  /**
   * The removal policy of tables, streams, buckets, signing keys, the KMS key for personal data, and logs. Any policy
   * other than RETAIN also disables the deletion protection of the tables. A bucket must be empty before it can be
   * deleted.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * How long CloudWatch Logs keeps the logs of all functions, the HTTP API, and the archive's Firehose stream, and how
   * long S3 keeps the access logs of the operator pages in the tracker's own bucket.
   *
   * @default one month
   */
  readonly logRetention?: RetentionDays;
  /**
   * The provisioned capacity of the instances table and its indexes, which auto scaling adjusts. A steady load costs
   * less than half as much as on demand. However, while a load rises faster than auto scaling can add capacity,
   * DynamoDB throttles requests, so events wait (docs/how-to/deploy.md). You can add, change, or remove this option
   * without losing data. The local service ignores this option.
   *
   * @default on demand
   */
  readonly instancesCapacity?: ProvisionedCapacity;
  /** The maximum number of records per invocation of the dispatcher. @default 500 */
  readonly batchSize?: number;
  /**
   * Whether Kinesis pushes records to the dispatcher (enhanced fan-out). By default, Lambda reads each shard once a
   * second. With this option, the effect of an event can be read about 100 ms after the event is put, instead of about
   * 600 ms. However, a slow model then delays all events of a shard instead of a tenth of them
   * (docs/explanation/scale.md). For the price, see docs/reference/cost.md. If you change this option on a deployed
   * tracker, the dispatcher rereads all records on the stream: see docs/how-to/deploy.md.
   *
   * @default false
   */
  readonly lowLatency?: boolean;
  /**
   * The maximum number of batches from the same shard that dispatchers process concurrently, from 1 to 10. Must be 1
   * with `lowLatency`.
   *
   * @default 10; 1 with `lowLatency`
   */
  readonly parallelizationFactor?: number;
  /**
   * How many times Lambda retries a record that the dispatcher could not process, before it moves the record to the
   * failure bucket. -1 sets no limit: Lambda retries a record until its age reaches `streamRetention` minus half a day,
   * or 7 days if that is less. With a limit, the retries can run out within minutes of the start of an outage, because
   * attempts can fail quickly.
   *
   * @default -1
   */
  readonly retryAttempts?: number;
  /**
   * How long the failure bucket keeps records: a whole number of days, from 2 to 365. On its last day, a record exists
   * only as a noncurrent version. A record that you delete by mistake can also be restored for a day.
   *
   * @default 30 days
   */
  readonly failureRetention?: Duration;
  /** How many times the dispatcher tries an event on which a model fails, before it parks the event. @default 3 */
  readonly modelAttempts?: number;
  /**
   * How long the dispatcher waits before the first retry of an event on which a model fails. Each later wait is four
   * times as long as the one before.
   *
   * @default 200 ms
   */
  readonly modelBackoff?: Duration;
  /** The dispatcher's memory in MB. @default 512 */
  readonly dispatcherMemorySize?: number;
  /**
   * The number of concurrent executions to reserve for the dispatcher, which also becomes its limit. While all reserved
   * executions are in use, events wait on the stream. Ten executions per shard are always enough.
   *
   * @default the unreserved concurrency of the account
   */
  readonly dispatcherReservedConcurrency?: number;
  /** The API's memory in MB. @default 512 */
  readonly apiMemorySize?: number;
  /**
   * The number of concurrent executions to reserve for the API's function, which also becomes its limit. The limit
   * keeps executions free for the dispatcher and the models. Requests above the limit receive a 503 response.
   * `'none'` reserves nothing and sets no limit, for accounts with too few executions to reserve any
   * (docs/how-to/deploy.md).
   *
   * @default 100
   */
  readonly apiReservedConcurrency?: number | 'none';
  /**
   * The limits of each API route, for all callers together: requests per second, and burst size. Requests above a limit
   * receive a 429 response. The account's limits also apply.
   *
   * @default { rateLimit: 500, burstLimit: 1000 }
   * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly apiThrottle?: ThrottleSettings;
  /**
   * The number of concurrent executions to reserve for the clock. One is enough.
   *
   * @default the unreserved concurrency of the account
   */
  readonly clockReservedConcurrency?: number;
  /**
   * Grants access to callers with a token of this issuer, such as a Cognito user pool. The token must grant the
   * `viewer` role (read access) or the `operator` role (also sending events, redrives, rebuilds, deletions,
   * rollbacks, links, and the destruction of personal data). Cannot be combined with `apiAuthorizer`.
   *
   * @default none
   */
  readonly apiTokens?: ApiTokens;
  /** The authorizer of the HTTP API. @default IAM: callers need AWS credentials that allow execute-api:Invoke */
  readonly apiAuthorizer?: IHttpRouteAuthorizer;
  /**
   * The origins of web pages that may call the HTTP API, such as `https://status.example.org`. Preflight requests
   * (OPTIONS) then need no credentials.
   *
   * @default none
   */
  readonly apiCorsOrigins?: readonly string[];
  /**
   * Whether to enable links to customer status pages. `/track/{token}` is then public: anyone with a link can see
   * the status page until the link expires or is revoked (docs/how-to/share-status-pages.md).
   *
   * @default false
   */
  readonly customerPages?: boolean;
  /**
   * The limits of each public route of customer pages (GET and HEAD), for all callers together: requests per second,
   * and burst size. Requests above a limit receive a 429 response. Has no effect without `customerPages`.
   *
   * @default { rateLimit: 50, burstLimit: 100 }
   */
  readonly customerPagesThrottle?: ThrottleSettings;
  /**
   * The number of concurrent executions to reserve for the function that serves customer pages, which also becomes its
   * limit. `'none'` reserves nothing and sets no limit. Has no effect without `customerPages`.
   *
   * @default 10
   */
  readonly customerPagesReservedConcurrency?: number | 'none';
  /**
   * The operator pages, which are served by CloudFront to users who log in at the issuer of `apiTokens`. Requires
   * `apiTokens`.
   *
   * @default no pages
   */
  readonly operatorPages?: OperatorPagesProps;
  /**
   * The age of records above which alarms go off, on the event stream and on the notification stream. An alarm goes off
   * if the records that a function receives exceed this age in at least 4 of the last 20 minutes, or if the records
   * that wait on a stream exceed it in at least 10 of the last 15 minutes. Must be less than the age at which Lambda
   * moves records to the failure bucket: `streamRetention` minus half a day, and, if notifications are published on a
   * bus, the retention of the notification stream minus two hours; each at most 7 days.
   *
   * @default 1 minute
   */
  readonly iteratorAgeAlarm?: Duration;
  /**
   * Whether to emit CloudWatch metrics for each model, at up to $2.10 per model and month
   * (docs/reference/monitoring.md). The metrics that alarms use are always emitted.
   *
   * @default true
   */
  readonly modelMetrics?: boolean;
  /**
   * Whether to create a CloudWatch dashboard. AWS charges $3 per month for each dashboard after the third in an
   * account.
   *
   * @default true
   */
  readonly dashboard?: boolean;
  /**
   * Whether X-Ray samples invocations of the dispatcher, the models, and the API, and traces events that have a
   * `traceparent`, at $5 per million traces. Requires a permission that cannot be restricted to a resource.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Whether logs contain the reasons for dead letters and parked events, and the messages of errors that models throw.
   * These reasons and messages can quote event data. The dead letters themselves always contain their reasons.
   *
   * @default false
   */
  readonly eventDataInLogs?: boolean;
  /**
   * Additional tags of all taggable resources. Milepost itself adds the tag `milepost`, whose value is the stream's
   * name.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * The destination of notifications about status changes, milestones, and completions, and of notifications whose
   * types models choose.
   *
   * @default a new stream and a new bus
   */
  readonly notifications?: Notifications;
  /**
   * Whether a canary sends an event through the pipeline every minute and records how long it takes until the event's
   * status can be read (docs/how-to/deploy.md). An alarm goes off if, for five minutes, no run succeeds within 30
   * seconds. Costs about $1.30 per month (docs/reference/cost.md).
   *
   * @default false
   */
  readonly canary?: boolean;
  /**
   * Whether to archive every event in S3, by model and day, with an Athena table: see docs/how-to/query-the-archive.md.
   * The archive starts with events from at most a day before it was enabled.
   *
   * @default false
   */
  readonly archive?: boolean;
  /**
   * The SNS topic that all alarms notify when they go off. If a key of your app encrypts the topic, the alarms receive
   * permission to use the key.
   *
   * @default none; alarms only change their state
   */
  readonly alarmTopic?: ITopic;
  /**
   * Whether models can have sensitive fields. Creates a KMS key, and a table with a data key for each instance that has
   * such fields. The KMS key encrypts the data keys and differs from `encryptionKey` so that `encryptionKey` can
   * change. Do not turn this option off while instances have sensitive fields: the tracker would permanently lose
   * access to the data keys (docs/how-to/deploy.md). Milepost calls KMS once to create an instance's data key. After
   * that, each execution environment that reads the instance calls KMS about once per minute at most. Point-in-time
   * recovery of dead letters reaches back 1 day instead of 35, because they contain events in plain text.
   *
   * @default false
   */
  readonly personalData?: boolean;
  /**
   * The rotation interval of the keys that sign Milepost's own events, from 1 to 1,000 days. The secret with the keys
   * costs $0.40 per month, regardless of the interval. `aws secretsmanager rotate-secret` rotates the keys immediately.
   * `'none'` disables the rotation, for AWS emulators that do not support it.
   *
   * @default 90 days
   */
  readonly signingKeyRotation?: Duration | 'none';
  /** The folder with the bundles of Milepost's own Lambda functions. @default the bundles in this package */
  readonly bundles?: string;
}
