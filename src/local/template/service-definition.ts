import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import type { BusRuleDefinition } from '../../aws-local/eventbridge/stream-rule.ts';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type { SecretDefinition } from '../../aws-local/secrets-manager/secrets-manager-server.ts';

/** The service that the CDK app defines, reduced to the resources that run on this machine. */
export interface ServiceDefinition {
  readonly tables: readonly TableDefinition[];
  readonly streams: readonly StreamDefinition[];
  readonly secrets: readonly SecretDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly versions: readonly VersionDefinition[];
  readonly eventSources: readonly EventSourceDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly busRules: readonly BusRuleDefinition[];
  readonly customResources: readonly CustomResourceDefinition[];
  /** The routes of the HTTP API, with the functions that handle their requests. */
  readonly routes: readonly HttpRoute[];
  /** Messages about features that exist only in AWS, and about models that cannot run on this machine. */
  readonly unsupported: readonly string[];
}

export interface TableDefinition extends CreateTableCommandInput {
  /** The attribute that contains an item's expiry, in seconds since 1970. Undefined if items do not expire. */
  readonly timeToLiveAttribute?: string;
}

export interface StreamDefinition {
  readonly name: string;
  readonly arn: string;
  /** The number of shards; undefined for an on-demand stream. */
  readonly shards?: number;
  /** The retention of records, in hours. Default: 24. */
  readonly retentionHours?: number;
}

/** A version of a function to publish, unless the function equals its newest version. */
export interface VersionDefinition {
  /** The logical id, which changes with the function's code or settings. */
  readonly id: string;
  readonly functionName: string;
}

/** An event source mapping from a stream to a function. */
export interface EventSourceDefinition {
  /** The logical id, which replaces the UUID that AWS assigns. */
  readonly id: string;
  readonly functionName: string;
  readonly functionArn: string;
  /** The name of the stream or, for the stream of a table, of the table. */
  readonly streamName: string;
  /**
   * The ARN of the stream. For the stream of a table, the label in the ARN is a placeholder, because the label is
   * unknown until the table is created.
   */
  readonly streamArn: string;
  /** The table whose changes the function receives; undefined for a Kinesis stream. */
  readonly tableName?: string;
  /** The properties of the AWS::Lambda::EventSourceMapping. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A function that AWS invokes every minute. */
export interface ScheduleDefinition {
  /** The logical id of the rule. */
  readonly id: string;
  readonly functionName: string;
}

export interface CustomResourceDefinition {
  readonly logicalId: string;
  readonly type: string;
  /** The name of the function that implements the resource. */
  readonly functionName: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
