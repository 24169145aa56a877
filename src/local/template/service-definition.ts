import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import type { BusRuleDefinition } from '../../aws-local/eventbridge/stream-rule.ts';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type { SecretDefinition } from '../../aws-local/secrets-manager/secrets-manager-server.ts';
import { readBusRules } from './bus-rules.ts';
import {
  arnOf,
  type Place,
  physicalName,
  type Resource,
  resolve,
  type Template,
  TemplateError,
} from './template.ts';

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
  readonly notHere: readonly string[];
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

/**
 * Reads the service from a synthesised template.
 *
 * @param assetFolder the folder with the code of a function, by the name of its S3 object.
 * @throws TemplateError when the template lacks something or uses what is not known here.
 */
export function readService(
  template: Template,
  place: Place,
  assetFolder: (s3Key: string) => string,
): ServiceDefinition {
  const reader = new Reader(template, place);
  const defined = reader.all('AWS::Lambda::Function').map(({ id, properties }) => {
    const { S3Key } = properties.Code as { S3Key: string };
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    return {
      name: physicalName(id, template, place),
      arn: arnOf(id, template, place),
      runtime: String(properties.Runtime),
      codePath: assetFolder(S3Key),
      handler: String(properties.Handler),
      environment: Variables ?? {},
      timeoutSeconds: Number(properties.Timeout ?? 3),
      memoryMb: Number(properties.MemorySize ?? 128),
      reservedConcurrency: properties.ReservedConcurrentExecutions as number | undefined,
    };
  });
  const nameByArn = new Map(defined.map(({ arn, name }) => [arn, name]));
  const functionName = (arn: unknown) => {
    const name = nameByArn.get(String(arn));
    if (name === undefined) throw new TemplateError(`the template has no function ${String(arn)}`);
    return name;
  };
  const routes = routesOf(reader, functionName);
  const answering = new Set(routes.map((route) => route.functionName));
  // Nothing here competes for the executions of an account: requests wait instead of being refused.
  const functions = defined.map((each) =>
    answering.has(each.name) ? { ...each, reservedConcurrency: undefined } : each,
  );
  const streams = reader.all('AWS::Kinesis::Stream').map(({ id, properties }) => ({
    name: physicalName(id, template, place),
    arn: arnOf(id, template, place),
    shards: properties.ShardCount as number | undefined,
  }));
  const { rules: busRules, notHere } = readBusRules(template, place, streams);
  return {
    tables: reader
      .all('AWS::DynamoDB::Table')
      .map(({ id, properties }) => toTable(physicalName(id, template, place), properties)),
    streams,
    secrets: reader
      .all('AWS::SecretsManager::Secret')
      .map(({ id, properties }) => toSecret(physicalName(id, template, place), properties)),
    functions,
    versions: reader.all('AWS::Lambda::Version').map(({ id, properties }) => ({
      id,
      functionName: String(properties.FunctionName),
    })),
    eventSources: reader.all('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => {
      const stream = streams.find(({ arn }) => arn === properties.EventSourceArn);
      const target = functions.find(({ name }) => name === properties.FunctionName);
      if (!stream || !target) throw new TemplateError(`${id} has no stream or no function`);
      return {
        id,
        functionName: target.name,
        functionArn: target.arn,
        streamName: stream.name,
        streamArn: stream.arn,
        settings: properties,
      };
    }),
    schedules: reader
      .all('AWS::Events::Rule', 'ScheduleExpression')
      .flatMap(({ id, properties: { ScheduleExpression, Targets } }) => {
        if (ScheduleExpression !== everyMinute)
          throw new TemplateError(
            `${id} runs at ${String(ScheduleExpression)}, not ${everyMinute}`,
          );
        const targets = Targets as readonly { readonly Arn: string }[];
        return targets.map(({ Arn }) => ({ id, functionName: functionName(Arn) }));
      }),
    busRules,
    customResources: reader.custom().map(({ id, type, properties }) => ({
      logicalId: id,
      type,
      functionName: functionName(properties.ServiceToken),
      properties,
    })),
    routes,
    notHere: [...notHereOf(template), ...notHere],
  };
}

/** The routes of the one HTTP API. */
function routesOf(reader: Reader, functionName: (arn: unknown) => string): HttpRoute[] {
  reader.one('AWS::ApiGatewayV2::Api');
  const integrations = new Map(
    reader
      .all('AWS::ApiGatewayV2::Integration')
      .map(({ name, properties }) => [`integrations/${name}`, properties.IntegrationUri]),
  );
  return reader.all('AWS::ApiGatewayV2::Route').map(({ properties: { RouteKey, Target } }) => ({
    routeKey: String(RouteKey),
    functionName: functionName(integrations.get(String(Target))),
  }));
}

/** Whether it feeds a function from the changes of a table, which is how the archive is fed. */
function isOfTable({ Type, Properties }: Resource): boolean {
  const arn = Properties?.EventSourceArn as { 'Fn::GetAtt'?: [string, string] } | undefined;
  return Type === 'AWS::Lambda::EventSourceMapping' && arn?.['Fn::GetAtt']?.[1] === 'StreamArn';
}

/** What an app may have that this machine does not do, and would else only seem to do. */
function notHereOf({ Resources }: Template): string[] {
  const ofTable = Object.values(Resources).filter(isOfTable);
  return ofTable.map(
    () => 'The archive is in AWS only; here, milepost export has what would be in it',
  );
}

/** The one schedule that has a meaning here. */
const everyMinute = 'rate(1 minute)';

class Reader {
  readonly #template: Template;
  readonly #place: Place;

  constructor(template: Template, place: Place) {
    this.#template = template;
    this.#place = place;
  }

  /** Those of a type that are for this machine, or only those of them that have a property. */
  all(type: string, property?: string) {
    return this.#matching((resource) => {
      const { Type, Properties = {} } = resource;
      const isWanted = Type === type && (property === undefined || property in Properties);
      return isWanted && !isOfTable(resource);
    });
  }

  one(type: string): Record<string, unknown> {
    const [first, ...others] = this.all(type);
    if (!first || others.length > 0)
      throw new TemplateError(`the template has ${others.length + (first ? 1 : 0)} ${type}, not 1`);
    return first.properties;
  }

  custom() {
    return this.#matching(({ Type }) => Type.startsWith('Custom::'));
  }

  #matching(wanted: (resource: Resource) => boolean) {
    return Object.entries(this.#template.Resources)
      .filter(([, resource]) => wanted(resource))
      .map(([id, { Type, Properties }]) => ({
        id,
        name: physicalName(id, this.#template, this.#place),
        type: Type,
        properties: resolveKnown(Properties ?? {}, this.#template, this.#place),
      }));
  }
}

// What only matters in an account (roles, keys, log groups) need not have a meaning here.
const onlyInAccount = new Set([
  'Role',
  'LoggingConfig',
  'StreamEncryption',
  'SSESpecification',
  'Tags',
]);

function resolveKnown(
  properties: Readonly<Record<string, unknown>>,
  template: Template,
  place: Place,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !onlyInAccount.has(name))
      .map(([name, value]) => [name, resolve(value, template, place)]),
  );
}

function toSecret(
  name: string,
  { GenerateSecretString }: Record<string, unknown>,
): SecretDefinition {
  const {
    PasswordLength: length = 32,
    SecretStringTemplate,
    GenerateStringKey: key,
  } = GenerateSecretString as {
    PasswordLength?: number;
    SecretStringTemplate?: string;
    GenerateStringKey?: string;
  };
  if (key === undefined) return { name, length };
  const template = JSON.parse(SecretStringTemplate ?? '{}') as Record<string, unknown>;
  return { name, length, object: { template, key } };
}

/** What a table needs to come to be; what the account does for it (backups, protection) is left out. */
function toTable(name: string, properties: Record<string, unknown>): CreateTableCommandInput {
  const wanted = {
    TableName: name,
    BillingMode: properties.BillingMode,
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
    GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
  };
  return wanted as CreateTableCommandInput;
}
