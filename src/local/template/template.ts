import { hash } from 'node:crypto';

/** A CloudFormation template, limited to the fields that the local service reads. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The account and region in which the template's resources appear to be deployed. */
export interface StackEnvironment {
  readonly stackName: string;
  readonly region: string;
  readonly accountId: string;
}

/** The error thrown when the template lacks a resource or uses a feature that the local service does not support. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

/**
 * Resolves the intrinsic functions in a property value as CloudFormation does.
 *
 * @throws TemplateError for an unsupported function or reference.
 */
export function resolve(value: unknown, template: Template, place: StackEnvironment): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, template, place));
  if (typeof value !== 'object' || value === null) return value;
  const [name = '', argument] = Object.entries(value)[0] ?? [];
  const isFunction = Object.keys(value).length === 1 && (name === 'Ref' || name.startsWith('Fn::'));
  if (!isFunction)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, template, place)]),
    );
  switch (name) {
    case 'Ref':
      return reference(String(argument), template, place);
    case 'Fn::GetAtt':
      return attribute(argument as [string, string], template, place);
    case 'Fn::Join': {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map((part) => String(resolve(part, template, place))).join(separator);
    }
    case 'Fn::Sub': {
      const [text, variables = {}] = (Array.isArray(argument) ? argument : [argument]) as [
        string,
        Record<string, unknown>?,
      ];
      return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, inner: string) => {
        if (literal) return `\${${inner}}`;
        if (Object.hasOwn(variables, inner))
          return String(resolve(variables[inner], template, place));
        const dot = inner.indexOf('.');
        return dot < 0
          ? reference(inner, template, place)
          : attribute([inner.slice(0, dot), inner.slice(dot + 1)], template, place);
      });
    }
    default:
      throw new TemplateError(`the template uses ${name}, which is not supported on this machine`);
  }
}

/** Returns a resource's name on this machine: its configured name, or a generated name in CloudFormation's style. */
export function physicalName(
  logicalId: string,
  template: Template,
  place: StackEnvironment,
): string {
  const resource = template.Resources[logicalId];
  if (!resource) throw new TemplateError(`the template has no resource ${logicalId}`);
  // On this machine, mappings are identified by their logical ids.
  if (resource.Type === 'AWS::Lambda::EventSourceMapping') return logicalId;
  const property = nameProperties[resource.Type];
  const given = property && resource.Properties?.[property];
  if (given !== undefined) return String(resolve(given, template, place));
  const name = `${place.stackName}-${logicalId}`;
  // Add a hash because two logical ids may differ only in the last characters, which are truncated.
  return name.length <= 64 ? name : `${name.slice(0, 55)}-${hash('sha256', name).slice(0, 8)}`;
}

/** Returns the ARN of a resource on this machine. */
export function arnOf(logicalId: string, template: Template, place: StackEnvironment): string {
  const name = physicalName(logicalId, template, place);
  const type = template.Resources[logicalId]!.Type;
  const path = arnPaths[type];
  if (!path)
    throw new TemplateError(
      `the ARN of ${logicalId} is not supported on this machine: its type is ${type}`,
    );
  return path.replace('{place}', `${place.region}:${place.accountId}`).replace('{name}', name);
}

const nameProperties: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Kinesis::Stream': 'Name',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Name',
};

const arnPaths: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'arn:aws:dynamodb:{place}:table/{name}',
  'AWS::Events::EventBus': 'arn:aws:events:{place}:event-bus/{name}',
  'AWS::KMS::Key': 'arn:aws:kms:{place}:key/{name}',
  'AWS::Kinesis::Stream': 'arn:aws:kinesis:{place}:stream/{name}',
  'AWS::Lambda::Function': 'arn:aws:lambda:{place}:function:{name}',
  'AWS::S3::Bucket': 'arn:aws:s3:::{name}',
};

/** A placeholder for the label of a table's stream, which is unknown until the table is created. */
const unknownLabel = 'latest';

/** Returns a placeholder for the number that a Lambda function version receives when it is published. */
export const versionNumberToken = (logicalId: string) => `${logicalId}.Version`;

function reference(id: string, template: Template, place: StackEnvironment): string {
  switch (id) {
    case 'AWS::Region':
      return place.region;
    case 'AWS::AccountId':
      return place.accountId;
    case 'AWS::StackName':
      return place.stackName;
    case 'AWS::Partition':
      return 'aws';
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    default:
      // On this machine, the logical id replaces the UUID of an event source mapping.
      return template.Resources[id]?.Type === 'AWS::Lambda::EventSourceMapping'
        ? id
        : physicalName(id, template, place);
  }
}

function attribute(
  [id, name]: readonly [string, string],
  template: Template,
  place: StackEnvironment,
): string {
  if (name === 'Arn') return arnOf(id, template, place);
  if (name === 'StreamArn' && template.Resources[id]?.Type === 'AWS::DynamoDB::Table')
    return `${arnOf(id, template, place)}/stream/${unknownLabel}`;
  // A stream consumer (enhanced fan-out) resolves to its stream: on this machine, every put triggers a read.
  const consumer = template.Resources[id];
  if (name === 'ConsumerARN' && consumer?.Type === 'AWS::Kinesis::StreamConsumer')
    return String(resolve(consumer.Properties?.StreamARN, template, place));
  // On this machine, secrets are identified by name.
  if (name === 'Id' && template.Resources[id]?.Type === 'AWS::SecretsManager::Secret')
    return physicalName(id, template, place);
  // The number is unknown until the version is published.
  if (name === 'Version' && template.Resources[id]?.Type === 'AWS::Lambda::Version')
    return versionNumberToken(id);
  throw new TemplateError(`the attribute ${name} of ${id} is not supported on this machine`);
}
