import {
  physicalName,
  type Resource,
  resolve,
  type StackEnvironment,
  type Template,
  TemplateError,
} from './template.ts';

/** Whether it feeds a function from the changes of a table, which is how the archive is fed. */
export function isTableStreamMapping({ Type, Properties }: Resource): boolean {
  const arn = Properties?.EventSourceArn as { 'Fn::GetAtt'?: [string, string] } | undefined;
  return Type === 'AWS::Lambda::EventSourceMapping' && arn?.['Fn::GetAtt']?.[1] === 'StreamArn';
}

/** Reads the resources of a template that this machine brings up, with their properties resolved. */
export class TemplateReader {
  readonly #template: Template;
  readonly #place: StackEnvironment;

  constructor(template: Template, place: StackEnvironment) {
    this.#template = template;
    this.#place = place;
  }

  /** Those of a type that are for this machine, or only those of them that have a property. */
  all(type: string, property?: string) {
    return this.#matching((resource) => {
      const { Type, Properties = {} } = resource;
      const isWanted = Type === type && (property === undefined || property in Properties);
      return isWanted && !isTableStreamMapping(resource);
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
const accountOnlyProperties = new Set([
  'Role',
  'LoggingConfig',
  'StreamEncryption',
  'SSESpecification',
  'Tags',
]);

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
