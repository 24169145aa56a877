import {
  physicalName,
  type Resource,
  resolve,
  type StackEnvironment,
  type Template,
  TemplateError,
} from './template.ts';

/**
 * Returns true for an event source mapping that reads a queue. On this machine, the clock runs every second instead.
 */
function isQueueMapping({ Type, Properties }: Resource, { Resources }: Template): boolean {
  const source = Properties?.EventSourceArn as { readonly 'Fn::GetAtt'?: readonly string[] };
  const [id = ''] = source?.['Fn::GetAtt'] ?? [];
  return Type === 'AWS::Lambda::EventSourceMapping' && Resources[id]?.Type === 'AWS::SQS::Queue';
}

/** Returns true for an event source mapping whose function writes to Firehose, which does not exist on this machine. */
export function isArchiveMapping({ Type, Properties }: Resource, { Resources }: Template): boolean {
  if (Type !== 'AWS::Lambda::EventSourceMapping') return false;
  const functionProperties = referenced(Properties?.FunctionName, Resources)?.Properties;
  const { Variables = {} } = (functionProperties?.Environment ?? {}) as { Variables?: object };
  return Object.values(Variables).some(
    (value: unknown) =>
      referenced(value, Resources)?.Type === 'AWS::KinesisFirehose::DeliveryStream',
  );
}

function referenced(value: unknown, resources: Template['Resources']): Resource | undefined {
  const { Ref } = (typeof value === 'object' && value !== null ? value : {}) as { Ref?: string };
  return Ref === undefined ? undefined : resources[Ref];
}

/** Reads from a template the resources that the local service supports, with their properties resolved. */
export class TemplateReader {
  readonly #template: Template;
  readonly #place: StackEnvironment;

  constructor(template: Template, place: StackEnvironment) {
    this.#template = template;
    this.#place = place;
  }

  /** Returns the supported resources of a type, optionally only those with a given property. */
  all(type: string, property?: string) {
    return this.#matching((resource) => {
      const { Type, Properties = {} } = resource;
      const isWanted = Type === type && (property === undefined || property in Properties);
      const isOnlyInAws =
        isArchiveMapping(resource, this.#template) || isQueueMapping(resource, this.#template);
      return isWanted && !isOnlyInAws;
    });
  }

  one(type: string): Record<string, unknown> {
    const [first, ...others] = this.all(type);
    if (!first || others.length > 0)
      throw new TemplateError(
        `the template must have exactly one ${type}; it has ${others.length + (first ? 1 : 0)}`,
      );
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

// The properties that have an effect only in an AWS account, such as roles and keys. They are omitted because they can
// contain unsupported references.
const accountOnlyProperties = new Set(['Role', 'StreamEncryption', 'SSESpecification', 'Tags']);

function resolveKnown(
  properties: Readonly<Record<string, unknown>>,
  template: Template,
  place: StackEnvironment,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !accountOnlyProperties.has(name))
      .map(([name, value]) => [name, resolve(value, template, place)]),
  );
}
