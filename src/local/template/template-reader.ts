import { type Resource, type Template, TemplateError } from './template.ts';
import type { TemplateResolver } from './template-resolver.ts';

/**
 * Returns true for an event source mapping that reads a queue. On this machine, the clock needs no queue because it
 * runs every second.
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

// The properties that have an effect only in an AWS account, such as roles and keys. These properties are omitted
// because they can contain unsupported references.
const accountOnlyProperties = new Set(['Role', 'StreamEncryption', 'SSESpecification', 'Tags']);

/** Reads from a template the resources that the local service supports, with their properties resolved. */
export class TemplateReader {
  readonly #template: Template;
  readonly #resolver: TemplateResolver;

  constructor(template: Template, resolver: TemplateResolver) {
    this.#template = template;
    this.#resolver = resolver;
  }

  /** Returns the supported resources of a type, optionally only the resources with a given property. */
  all(type: string, property?: string) {
    return this.#matching((resource) => {
      const { Type, Properties = {} } = resource;
      const isWanted = Type === type && (property === undefined || property in Properties);
      const isOnlyInAws =
        isArchiveMapping(resource, this.#template) || isQueueMapping(resource, this.#template);
      return isWanted && !isOnlyInAws;
    });
  }

  /** @throws TemplateError unless the template has exactly one resource of a type. */
  requireOne(type: string): void {
    const { length } = this.all(type);
    if (length !== 1)
      throw new TemplateError(`the template must have exactly one ${type}; it has ${length}`);
  }

  custom() {
    return this.#matching(({ Type }) => Type.startsWith('Custom::'));
  }

  #matching(wanted: (resource: Resource) => boolean) {
    return Object.entries(this.#template.Resources)
      .filter(([, resource]) => wanted(resource))
      .map(([id, { Type, Properties }]) => ({
        id,
        name: this.#resolver.physicalName(id),
        type: Type,
        properties: this.#resolveKnown(Properties ?? {}),
      }));
  }

  #resolveKnown(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !accountOnlyProperties.has(name))
        .map(([name, value]) => [name, this.#resolver.resolve(value)]),
    );
  }
}
