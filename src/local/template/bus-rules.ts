import { busNameOf } from '../../aws-local/eventbridge/bus-name.ts';
import type { InputTransformer } from '../../aws-local/eventbridge/input-transformer.ts';
import type { BusRuleDefinition } from '../../aws-local/eventbridge/stream-rule.ts';
import type { StreamDefinition } from './service-definition.ts';
import { type Template, TemplateError } from './template.ts';
import type { TemplateResolver } from './template-resolver.ts';

interface RuleProperties {
  readonly EventBusName?: unknown;
  readonly EventPattern?: unknown;
  readonly State?: string;
  readonly Targets?: readonly {
    readonly Arn: unknown;
    readonly InputTransformer?: InputTransformer;
    readonly KinesisParameters?: { readonly PartitionKeyPath: string };
  }[];
}

/** The rules that put events from a bus on a stream in the template, and messages about unsupported rules. */
export interface BusRules {
  readonly rules: readonly BusRuleDefinition[];
  readonly unsupported: readonly string[];
}

/**
 * Reads the enabled rules that have an event pattern. The roles and dead-letter queues of rules exist only in AWS and
 * are ignored.
 */
export function readBusRules(
  template: Template,
  resolver: TemplateResolver,
  streams: readonly StreamDefinition[],
): BusRules {
  const rules: BusRuleDefinition[] = [];
  const unsupported: string[] = [];
  for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources)) {
    if (Type !== 'AWS::Events::Rule' || !('EventPattern' in Properties)) continue;
    const found = rulesOf(id, Properties);
    if (typeof found === 'string') unsupported.push(found);
    else rules.push(...found);
  }
  return { rules, unsupported };

  function rulesOf(id: string, properties: RuleProperties): string | BusRuleDefinition[] {
    const { EventBusName = 'default', EventPattern, State, Targets = [] } = properties;
    if (State === 'DISABLED') return [];
    try {
      const found = Targets.flatMap(
        ({ Arn, InputTransformer: input, KinesisParameters: kinesis }) => {
          const stream =
            isInTemplate(Arn) && streams.find(({ arn }) => arn === resolver.resolve(Arn));
          if (!stream) return [];
          return {
            id,
            busName: busNameOf(String(resolver.resolve(EventBusName))),
            eventPattern: resolver.resolve(EventPattern) as BusRuleDefinition['eventPattern'],
            streamName: stream.name,
            partitionKeyPath: kinesis?.PartitionKeyPath ?? '$.id',
            transformer: resolver.resolve(input) as InputTransformer | undefined,
          };
        },
      );
      return found.length > 0 ? found : `The rule ${id} takes effect only in AWS.`;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return `The rule ${id} takes effect only in AWS: ${error.message}.`;
    }
  }

  /** Returns true if a target is a stream in the template. The ARNs of other targets may be known only in AWS. */
  function isInTemplate(arn: unknown): boolean {
    const [id] = (arn as { 'Fn::GetAtt'?: [string, string] } | undefined)?.['Fn::GetAtt'] ?? [];
    return id !== undefined && template.Resources[id]?.Type === 'AWS::Kinesis::Stream';
  }
}
