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
  /** The accepted client ids. */
  readonly audience: readonly string[];
  /**
   * The claim that contains a caller's groups or roles: its name, such as `groups` or `https://example.com/roles`, or a
   * JSON Pointer to a nested claim, such as `/realm_access/roles`.
   *
   * @default 'cognito:groups'
   */
  readonly rolesClaim?: string;
  /** The names in the claim that grant each role. @default the names of the roles */
  readonly roles?: ApiRoles;
}

/** The settings of a tracker. All are optional: `new ProcessTracker(this, 'Tracker')` is a complete tracker. */
export interface ProcessTrackerProps {
  /**
   * The stream's name, unique in an account and region. A different name creates new, empty streams
   * (docs/how-to/deploy.md).
   *
   * @default 'milepost-events'
   */
  readonly streamName?: string;
  /**
   * The time that the stream keeps events, from 1 to 365 days. The default leaves enough time for repairs after a long
   * weekend and for rereading events. AWS charges for retention beyond a day.
   *
   * @default 7 days
   */
  readonly streamRetention?: Duration;
  /**
   * Encrypts the tables, streams, secrets, dead-letter queues and notification bus, and all buckets except those for
   * access logs. Log groups use CloudWatch's encryption, access logs in S3 use S3's, and the wake-up queue uses SQS's.
   * To replace the key of a deployed tracker, see docs/how-to/deploy.md.
   *
   * @default keys that AWS manages
   */
  readonly encryptionKey?: IKey;
  /**
   * The removal policy of tables, streams, buckets, signing keys and logs. Any policy other than RETAIN also disables
   * the deletion protection of the tables. A bucket must be empty before it can be deleted.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /** The retention of logs. @default one month */
  readonly logRetention?: RetentionDays;
  /**
   * Bills the instances table and its indexes for provisioned capacity with auto scaling instead of by request. A
   * steady load then costs less than half as much, but a load that rises faster than auto scaling is throttled, so
   * events wait (docs/how-to/deploy.md). Changing this option keeps the data. The local service ignores the option.
   *
   * @default on demand
   */
  readonly instancesCapacity?: ProvisionedCapacity;
  /** The maximum number of records per invocation of the dispatcher. @default 500 */
  readonly batchSize?: number;
  /**
   * Whether Kinesis pushes records to the dispatcher (enhanced fan-out). By default, Lambda reads each shard once a
   * second. With this option, the time from a put until its effect can be read falls from about 600 ms to less than 100
   * ms. However, a slow model then delays all events of a shard instead of a tenth of them (docs/explanation/scale.md).
   * For the price, see docs/reference/cost.md. When this option is changed, the dispatcher rereads all records on the
   * stream: see docs/how-to/deploy.md.
   *
   * @default false
   */
  readonly lowLatency?: boolean;
  /**
   * The number of batches of a shard that the dispatcher processes concurrently, from 1 to 10. Must be 1 with
   * `lowLatency`.
   *
   * @default 10; 1 with `lowLatency`
   */
  readonly parallelizationFactor?: number;
  /**
   * The number of retries before a record goes to the failure bucket. -1 sets no limit: a record is retried until its
   * age reaches `streamRetention` minus half a day, but for at most 7 days. With a limit, the retries can end within
   * minutes of an outage, because attempts can fail quickly.
   *
   * @default -1
   */
  readonly retryAttempts?: number;
  /**
   * The retention of records in the failure bucket: a whole number of days, at least 2. The last day is reserved for
   * restoring records that were deleted by mistake.
   *
   * @default 30 days
   */
  readonly failureRetention?: Duration;
  /** The number of attempts for an event on which a model fails, before the event is parked. @default 3 */
  readonly modelAttempts?: number;
  /** The wait before the first retry of a model. Each subsequent wait is four times as long. @default 200 ms */
  readonly modelBackoff?: Duration;
  /** The dispatcher's memory in MB. @default 512 */
  readonly dispatcherMemorySize?: number;
  /**
   * Reserves this many concurrent executions for the dispatcher and limits it to them. If all of them are in use,
   * events wait on the stream. Ten per shard are always enough.
   *
   * @default the unreserved concurrency of the account
   */
  readonly dispatcherReservedConcurrency?: number;
  /** The API's memory in MB. @default 512 */
  readonly apiMemorySize?: number;
  /**
   * Reserves this many concurrent executions for the API's function and limits it to them, so that it cannot use the
   * executions that the dispatcher and the models need. Callers above the limit receive a 503 response. `'none'`
   * reserves nothing and sets no limit, for accounts with too few executions to reserve any (docs/how-to/deploy.md).
   *
   * @default 100
   */
  readonly apiReservedConcurrency?: number | 'none';
  /**
   * The limits of each API route: requests per second, and burst size. Callers above the limit receive a 429 response.
   * The account's limits also apply.
   *
   * @default { rateLimit: 500, burstLimit: 1000 }
   * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly apiThrottle?: ThrottleSettings;
  /**
   * Reserves this many concurrent executions for the clock, which needs one.
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
  /** The authorizer of the HTTP API. @default IAM: callers need AWS credentials with execute-api:Invoke */
  readonly apiAuthorizer?: IHttpRouteAuthorizer;
  /**
   * The origins of web pages that may call the HTTP API, such as `https://status.example.org`. Preflight requests
   * (OPTIONS) then need no credentials.
   *
   * @default none
   */
  readonly apiCorsOrigins?: readonly string[];
  /**
   * Whether to enable links to customer status pages. `GET /track/{token}` is then public: anyone with a link can see
   * the status page until the link expires or is revoked (docs/how-to/share-status-pages.md).
   *
   * @default false
   */
  readonly customerPages?: boolean;
  /**
   * The limits of the public route of customer pages, for all callers together: requests per second, and burst size.
   * Callers above the limit receive a 429 response.
   *
   * @default { rateLimit: 50, burstLimit: 100 }
   */
  readonly customerPagesThrottle?: ThrottleSettings;
  /**
   * Reserves this many concurrent executions for the function of customer pages and limits it to them. `'none'`
   * reserves nothing and sets no limit.
   *
   * @default 10
   */
  readonly customerPagesReservedConcurrency?: number | 'none';
  /**
   * Deploys the operator's pages on CloudFront, for users who log in at the issuer of `apiTokens`.
   *
   * @default no pages
   */
  readonly operatorPages?: OperatorPagesProps;
  /**
   * The age of records above which alarms go off, for the event stream and the notification stream. They go off if the
   * records that a function receives exceed this age in at least 4 of the last 20 minutes, or if the records on a stream
   * exceed it in at least 10 of the last 15 minutes.
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
   * Whether X-Ray samples requests to the dispatcher, models and API, and traces events with a `traceparent`, at $5 per
   * million traces. Requires a permission that cannot be restricted to a resource.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Whether logs contain the reasons for dead letters and parked events, and errors thrown by models. Reasons can quote
   * the event. Dead letters always contain their reasons.
   *
   * @default false
   */
  readonly eventDataInLogs?: boolean;
  /** Tags of all taggable resources, in addition to `milepost`, which contains the stream's name. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * The destination of notifications about status changes, milestones and completions.
   *
   * @default a new stream and a new bus
   */
  readonly notifications?: Notifications;
  /**
   * Whether a canary sends an event through the pipeline every minute and records the time until its status can be read
   * (docs/how-to/deploy.md). An alarm goes off if, for five minutes, no run succeeds within 30 seconds. Costs about
   * $1.30 per month (docs/reference/cost.md).
   *
   * @default false
   */
  readonly canary?: boolean;
  /**
   * Whether to archive every event in S3, by model and day, with an Athena table: see
   * `docs/how-to/query-the-archive.md`. Events from before the archive was enabled are not included.
   *
   * @default false
   */
  readonly archive?: boolean;
  /** The topic that all alarms notify. @default none; alarms only change their state */
  readonly alarmTopic?: ITopic;
  /**
   * Whether models can have sensitive fields. Creates a KMS key, and a table with a data key for each instance that has
   * such fields. The KMS key encrypts the data keys and differs from `encryptionKey`, so that `encryptionKey` can change.
   * Do not turn this option off while instances have sensitive fields: the tracker would permanently lose access to the
   * data keys (docs/how-to/deploy.md). Milepost calls KMS once when an instance starts, and then at most once
   * per minute from each function that reads the instance. Point-in-time recovery of dead letters reaches back 1 day
   * instead of 35, because they contain events in plain text.
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
