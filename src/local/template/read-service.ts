import type { HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import type { SecretDefinition } from '../../aws-local/secrets-manager/secrets-manager-server.ts';
import { readBusRules } from './bus-rules.ts';
import type { ServiceDefinition, TableDefinition } from './service-definition.ts';
import { type StackEnvironment, type Template, TemplateError } from './template.ts';
import { isArchiveMapping, TemplateReader } from './template-reader.ts';
import { TemplateResolver } from './template-resolver.ts';

/**
 * Reads the service from a synthesized template.
 *
 * @param assetFolder returns the folder of a function's code, given the key of its S3 object.
 * @throws TemplateError if the template lacks a required resource or uses an unsupported feature.
 */
export function readService(
  template: Template,
  place: StackEnvironment,
  assetFolder: (s3Key: string) => string,
): ServiceDefinition {
  const resolver = new TemplateResolver(template, place);
  const reader = new TemplateReader(template, resolver);
  const defined = reader.all('AWS::Lambda::Function').map(({ id, name, properties }) => {
    const { S3Key } = properties.Code as { S3Key: string };
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    const { LogFormat } = (properties.LoggingConfig ?? {}) as { LogFormat?: 'Text' | 'JSON' };
    return {
      name,
      arn: resolver.arnOf(id),
      runtime: String(properties.Runtime),
      codePath: assetFolder(S3Key),
      handler: String(properties.Handler),
      environment: Variables ?? {},
      timeoutSeconds: Number(properties.Timeout ?? 3),
      memoryMb: Number(properties.MemorySize ?? 128),
      logFormat: LogFormat,
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
  // On this machine, functions do not share the concurrency limit of an AWS account, so requests can wait instead of
  // being throttled.
  const functions = defined.map((each) =>
    answering.has(each.name) ? { ...each, reservedConcurrency: undefined } : each,
  );
  const streams = reader.all('AWS::Kinesis::Stream').map(({ id, name, properties }) => ({
    name,
    arn: resolver.arnOf(id),
    shards: properties.ShardCount as number | undefined,
    retentionHours: properties.RetentionPeriodHours as number | undefined,
  }));
  const tables = reader.all('AWS::DynamoDB::Table');
  const { rules: busRules, unsupported } = readBusRules(template, resolver, streams);
  return {
    tables: tables.map(({ name, properties }) => toTable(name, properties)),
    streams,
    secrets: reader
      .all('AWS::SecretsManager::Secret')
      .map(({ name, properties }) => toSecret(name, properties)),
    functions,
    versions: reader.all('AWS::Lambda::Version').map(({ id, properties }) => ({
      id,
      functionName: String(properties.FunctionName),
    })),
    eventSources: reader.all('AWS::Lambda::EventSourceMapping').map(({ id, properties }) => {
      const streamArn = String(properties.EventSourceArn);
      const stream = streams.find(({ arn }) => arn === streamArn);
      const tableName = tables.find(({ name }) =>
        streamArn.includes(`:table/${name}/stream/`),
      )?.name;
      const target = functions.find(({ name }) => name === properties.FunctionName);
      const streamName = stream?.name ?? tableName;
      if (streamName === undefined || !target)
        throw new TemplateError(
          `the event source ${id} must refer to a stream, or the stream of a table, and a function of the template`,
        );
      return {
        id,
        functionName: target.name,
        functionArn: target.arn,
        streamName,
        streamArn,
        tableName,
        settings: properties,
      };
    }),
    schedules: reader
      .all('AWS::Events::Rule', 'ScheduleExpression')
      .flatMap(({ id, properties: { ScheduleExpression, Targets } }) => {
        if (ScheduleExpression !== everyMinute)
          throw new TemplateError(
            `the schedule of ${id} must be ${everyMinute}; got ${String(ScheduleExpression)}`,
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
    unsupported: [...unsupportedIn(template), ...unsupported],
  };
}

/** Reads the routes of the template's only HTTP API. */
function routesOf(reader: TemplateReader, functionName: (arn: unknown) => string): HttpRoute[] {
  reader.requireOne('AWS::ApiGatewayV2::Api');
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

/** Returns messages about features of the template that have no effect on this machine. */
function unsupportedIn(template: Template): string[] {
  const ofArchive = Object.values(template.Resources).filter((each) =>
    isArchiveMapping(each, template),
  );
  return ofArchive.map(
    () =>
      'The archive exists only in AWS. On this machine, use `milepost export` for the same data.',
  );
}

/** The only schedule that is supported on this machine. */
const everyMinute = 'rate(1 minute)';

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

/**
 * Selects the properties that are needed to create a table. Omits account settings, such as backups and deletion
 * protection, and provisioned capacity, because capacity on this machine is not limited.
 */
function toTable(name: string, properties: Record<string, unknown>): TableDefinition {
  const {
    StreamSpecification: stream,
    TimeToLiveSpecification: expiry,
    GlobalSecondaryIndexes: indexes,
  } = properties as {
    StreamSpecification?: { StreamViewType: string };
    TimeToLiveSpecification?: { Enabled: boolean; AttributeName: string };
    GlobalSecondaryIndexes?: Record<string, unknown>[];
  };
  const wanted = {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
    GlobalSecondaryIndexes: indexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    })),
    StreamSpecification: stream && { StreamEnabled: true, ...stream },
    timeToLiveAttribute: expiry?.Enabled === true ? expiry.AttributeName : undefined,
  };
  return wanted as TableDefinition;
}
