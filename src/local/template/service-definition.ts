import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import type { BusRuleDefinition } from '../../aws-local/eventbridge/stream-rule.ts';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type { SecretDefinition } from '../../aws-local/secrets-manager/secrets-manager-server.ts';

/** The service as the CDK app defines it: everything that this machine has to bring up. */
export interface ServiceDefinition {
  readonly tables: readonly CreateTableCommandInput[];
  readonly streams: readonly StreamDefinition[];
  readonly secrets: readonly SecretDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly versions: readonly VersionDefinition[];
  readonly eventSources: readonly EventSourceDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly busRules: readonly BusRuleDefinition[];
  readonly customResources: readonly CustomResourceDefinition[];
  /** What answers HTTP, by route. */
  readonly routes: readonly HttpRoute[];
  /** What it has that is in AWS alone, a line for people each. */
  readonly unsupported: readonly string[];
}

export interface StreamDefinition {
  readonly name: string;
  readonly arn: string;
  /** How many shards it has; on demand it has none of its own. */
  readonly shards?: number;
}

/** A version that is to be published of a function, unless its newest one is the same. */
export interface VersionDefinition {
  /** Its logical id, which is another one when the function's code or settings are others. */
  readonly id: string;
  readonly functionName: string;
}

/** What feeds a function from a stream. */
export interface EventSourceDefinition {
  /** Its logical id, which stands for the UUID that AWS gives it. */
  readonly id: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly streamName: string;
  readonly streamArn: string;
  /** The properties of the AWS::Lambda::EventSourceMapping. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A function that is run every minute. */
export interface ScheduleDefinition {
  /** The logical id of the rule. */
  readonly id: string;
  readonly functionName: string;
}

export interface CustomResourceDefinition {
  readonly logicalId: string;
  readonly type: string;
  /** The name of the function behind it. */
  readonly functionName: string;
  readonly properties: Readonly<Record<string, unknown>>;
}
