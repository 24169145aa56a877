import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IHttpRouteAuthorizer, ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { ApiRoles } from './api/roles.ts';
import type { OperatorPagesProps } from './pages/operator-pages.ts';
import type { Notifications } from './pipeline/notifications.ts';

/** Whose JSON Web Tokens open the HTTP API. */
export interface ApiTokens {
  /** Such as `https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf`. */
  readonly issuer: string;
  /** The client ids that tokens are for. */
  readonly audience: readonly string[];
  /**
   * The claim that holds the names of a caller's groups or roles: its name, such as `groups` or
   * `https://example.com/roles`, or a JSON Pointer to a nested one, such as `/realm_access/roles`.
   *
   * @default 'cognito:groups'
   */
  readonly rolesClaim?: string;
  /** The names in that claim that grant each role. @default the names of the roles */
  readonly roles?: ApiRoles;
}

/** Everything has a default: `new ProcessTracker(this, 'Tracker')` is a whole tracker. */
export interface ProcessTrackerProps {
  /** The stream's name, unique in an account and region. @default 'milepost-events' */
  readonly streamName?: string;
  /**
   * How long the stream keeps events, 1 to 365 days. The default leaves a long weekend to mend
   * something, and room to read events again; AWS charges for what is kept beyond a day.
   *
   * @default 7 days
   */
  readonly streamRetention?: Duration;
  /**
   * Encrypts tables, streams, failure bucket, the pages' bucket and the bus of notifications; log
   * groups use CloudWatch's own encryption, and access logs in S3 use S3's.
   *
   * @default keys that AWS manages
   */
  readonly encryptionKey?: IKey;
  /**
   * The removal policy of tables, stream, bucket, signing keys and logs. Anything but RETAIN
   * also turns the tables' deletion protection off; a bucket must be emptied before it can go.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /** How long logs are kept. @default one month */
  readonly logRetention?: RetentionDays;
  /** Most records in one invocation of the dispatcher. @default 500 */
  readonly batchSize?: number;
  /**
   * How often records are tried again before they go to the failure bucket. -1 sets no limit: they are
   * tried until their age is half a day less than `streamRetention`, or 7 days. A number may be used up
   * within minutes of an outage, because attempts can fail quickly.
   *
   * @default -1
   */
  readonly retryAttempts?: number;
  /**
   * How long the failure bucket keeps a record, in whole days, at least 2. The last day is for records
   * that were deleted by mistake.
   *
   * @default 30 days
   */
  readonly failureRetention?: Duration;
  /** How often a model is tried on an event that it fails on, before the event is parked. @default 3 */
  readonly modelAttempts?: number;
  /** The pause before a model is tried again; four times as long each further time. @default 200 ms */
  readonly modelBackoff?: Duration;
  /** The dispatcher's memory, in MB. @default 1024 */
  readonly dispatcherMemorySize?: number;
  /**
   * So many dispatchers may run at once, and no more; they are kept from all others of the account.
   * The stream waits for them: ten for each shard are never too few.
   *
   * @default as many as the account has left
   */
  readonly dispatcherReservedConcurrency?: number;
  /** The API's memory, in MB. @default 512 */
  readonly apiMemorySize?: number;
  /**
   * The most executions of the API's function at once. They are reserved for it, and it cannot take those that
   * the dispatcher and the models need. Callers over the limit get a 503. `'none'` sets no limit and reserves
   * nothing, for accounts that have too few executions to reserve any (docs/deploy.md).
   *
   * @default 100
   */
  readonly apiReservedConcurrency?: number | 'none';
  /**
   * How many requests a second each route of the API takes, and how many at once. Callers over the limit get
   * a 429. The limits of the account apply besides.
   *
   * @default { rateLimit: 500, burstLimit: 1000 }
   * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly apiThrottle?: ThrottleSettings;
  /** The same for the clock, which needs one. @default as many as there are left */
  readonly clockReservedConcurrency?: number;
  /**
   * Admits callers with a token of this issuer, such as a Cognito user pool, with the role `viewer` (reads)
   * or `operator` (also redrives, deletes, rolls back, makes and revokes links, and puts events). Not with
   * `apiAuthorizer`.
   *
   * @default none
   */
  readonly apiTokens?: ApiTokens;
  /** Who may use the HTTP API. @default callers with AWS credentials and execute-api:Invoke */
  readonly apiAuthorizer?: IHttpRouteAuthorizer;
  /**
   * The origins of web pages that may use the HTTP API, such as `https://status.example.org`. What a
   * browser asks before it does so (OPTIONS) is then answered to anybody.
   *
   * @default none
   */
  readonly apiCorsOrigins?: readonly string[];
  /**
   * Whether customers can be given links to status pages of their own. Then `GET /track/{token}` is open
   * to the world: anyone with a link sees its page, until the link expires or is revoked
   * (docs/customer-pages.md).
   *
   * @default false
   */
  readonly customerPages?: boolean;
  /**
   * How many requests a second the public route of customers' pages takes, from all callers together, and how
   * many at once. Callers over the limit get a 429.
   *
   * @default { rateLimit: 50, burstLimit: 100 }
   */
  readonly customerPagesThrottle?: ThrottleSettings;
  /**
   * The most executions of the customers' pages at once, reserved as those of the API are; `'none'` likewise.
   *
   * @default 10
   */
  readonly customerPagesReservedConcurrency?: number | 'none';
  /**
   * Puts the operator's pages on CloudFront, for who logs in at the issuer of `apiTokens`.
   *
   * @default no pages
   */
  readonly operatorPages?: OperatorPagesProps;
  /** An alarm goes off when events have waited on the stream for longer, for 3 minutes. @default 1 minute */
  readonly iteratorAgeAlarm?: Duration;
  /**
   * Whether there are CloudWatch metrics of each model, at up to $2.10 a model and month
   * (docs/operations.md). What alarms are about is counted in any case.
   *
   * @default true
   */
  readonly modelMetrics?: boolean;
  /** Whether there is a CloudWatch dashboard, the fourth and further of an account at $3 a month. @default true */
  readonly dashboard?: boolean;
  /**
   * Whether X-Ray records a part of what dispatcher, models and API do, and the way of events with a
   * `traceparent`, at $5 a million traces. It takes a permission that cannot be narrowed.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Whether logs say why a record is a dead letter, why an event was parked and what a model threw. They may
   * quote the event; the dead letters have these reasons in any case.
   *
   * @default false
   */
  readonly eventDataInLogs?: boolean;
  /** Of everything in it that can have tags, besides `milepost`, the stream's name. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * Where changes of status, milestones and ends are published.
   *
   * @default a stream and a bus of the tracker's own
   */
  readonly notifications?: Notifications;
  /**
   * Whether every event is also kept in S3, by model and day, with a table for Athena: see
   * `docs/archive.md`. What came before it was turned on is not in it.
   *
   * @default false
   */
  readonly archive?: boolean;
  /** Is told of every alarm. @default the alarms are there, and tell nobody */
  readonly alarmTopic?: ITopic;
  /**
   * Whether models may have sensitive fields. It makes a KMS key, unless there is an `encryptionKey`, and a
   * table for a key of each instance that has such fields; KMS is called for each, once when it begins
   * and then for each function that reads it, at most once a minute. Point-in-time recovery of the
   * dead letters reaches back one day instead of 35, because they hold events in plain text.
   *
   * @default false
   */
  readonly personalData?: boolean;
  /**
   * How often the keys are rotated that Milepost signs its own events with, 1 to 1,000 days. The secret
   * costs $0.40 a month, whatever it is set to. `aws secretsmanager rotate-secret` rotates them at once.
   * `'none'` leaves the rotation out, for emulators of AWS that do not know it.
   *
   * @default 90 days
   */
  readonly signingKeyRotation?: Duration | 'none';
  /** The folder with the built Lambdas of Milepost. @default those that come with this package */
  readonly bundles?: string;
}
