import { hash } from 'node:crypto';
import {
  type StackEnvironment,
  type Template,
  TemplateError,
  versionNumberToken,
} from './template.ts';

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

/** Resolves names, ARNs, and property values in a template to the values on this machine. */
export class TemplateResolver {
  readonly #resources: Template['Resources'];
  readonly #place: StackEnvironment;

  constructor({ Resources }: Template, place: StackEnvironment) {
    this.#resources = Resources;
    this.#place = place;
  }

  /**
   * Resolves the intrinsic functions in a property value as CloudFormation does.
   *
   * @throws TemplateError for an unsupported function or reference.
   */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const [name = '', argument] = Object.entries(value)[0] ?? [];
    const isFunction =
      Object.keys(value).length === 1 && (name === 'Ref' || name.startsWith('Fn::'));
    if (!isFunction)
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, this.resolve(item)]),
      );
    switch (name) {
      case 'Ref':
        return this.#reference(String(argument));
      case 'Fn::GetAtt':
        return this.#attribute(argument as [string, string]);
      case 'Fn::Join': {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => String(this.resolve(part))).join(separator);
      }
      case 'Fn::Sub': {
        const [text, variables = {}] = (Array.isArray(argument) ? argument : [argument]) as [
          string,
          Record<string, unknown>?,
        ];
        return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, inner: string) => {
          if (literal) return `\${${inner}}`;
          if (Object.hasOwn(variables, inner)) return String(this.resolve(variables[inner]));
          const dot = inner.indexOf('.');
          return dot < 0
            ? this.#reference(inner)
            : this.#attribute([inner.slice(0, dot), inner.slice(dot + 1)]);
        });
      }
      default:
        throw new TemplateError(
          `the template uses ${name}, which is not supported on this machine`,
        );
    }
  }

  /** Returns a resource's name on this machine: its configured name, or a generated name in CloudFormation's style. */
  physicalName(logicalId: string): string {
    const resource = this.#resources[logicalId];
    if (!resource) throw new TemplateError(`the template has no resource ${logicalId}`);
    // On this machine, mappings are identified by their logical ids.
    if (resource.Type === 'AWS::Lambda::EventSourceMapping') return logicalId;
    const property = nameProperties[resource.Type];
    const given = property && resource.Properties?.[property];
    if (given !== undefined) return String(this.resolve(given));
    const name = `${this.#place.stackName}-${logicalId}`;
    // Add a hash because two logical ids may differ only in the last characters, which are truncated.
    return name.length <= 64 ? name : `${name.slice(0, 55)}-${hash('sha256', name).slice(0, 8)}`;
  }

  /** Returns the ARN of a resource on this machine. */
  arnOf(logicalId: string): string {
    const name = this.physicalName(logicalId);
    const type = this.#resources[logicalId]!.Type;
    const path = arnPaths[type];
    if (!path)
      throw new TemplateError(
        `the ARN of ${logicalId} is not supported on this machine: its type is ${type}`,
      );
    return path
      .replace('{place}', `${this.#place.region}:${this.#place.accountId}`)
      .replace('{name}', name);
  }

  #reference(id: string): string {
    switch (id) {
      case 'AWS::Region':
        return this.#place.region;
      case 'AWS::AccountId':
        return this.#place.accountId;
      case 'AWS::StackName':
        return this.#place.stackName;
      case 'AWS::Partition':
        return 'aws';
      case 'AWS::URLSuffix':
        return 'amazonaws.com';
      default:
        return this.physicalName(id);
    }
  }

  #attribute([id, name]: readonly [string, string]): string {
    if (name === 'Arn') return this.arnOf(id);
    const { Type, Properties } = this.#resources[id] ?? {};
    if (name === 'StreamArn' && Type === 'AWS::DynamoDB::Table')
      return `${this.arnOf(id)}/stream/${unknownLabel}`;
    // A stream consumer (enhanced fan-out) resolves to its stream: on this machine, every put triggers a read.
    if (name === 'ConsumerARN' && Type === 'AWS::Kinesis::StreamConsumer')
      return String(this.resolve(Properties?.StreamARN));
    // On this machine, secrets are identified by name.
    if (name === 'Id' && Type === 'AWS::SecretsManager::Secret') return this.physicalName(id);
    // The number is unknown until the version is published.
    if (name === 'Version' && Type === 'AWS::Lambda::Version') return versionNumberToken(id);
    throw new TemplateError(`the attribute ${name} of ${id} is not supported on this machine`);
  }
}
