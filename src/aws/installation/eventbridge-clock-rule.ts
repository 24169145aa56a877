import type { ClockRule } from '../../api/checks/installation.ts';
import type { EventBridgeRules } from '../client/eventbridge.ts';
import { undefinedIfMissing } from '../client/transport/service-error.ts';

/**
 * Reads whether the clock's rule is enabled.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeRule.html
 */
export class EventBridgeClockRule implements ClockRule {
  readonly name: string;
  readonly logGroup: string;
  readonly #client: EventBridgeRules;

  constructor(client: EventBridgeRules, { name, logGroup }: Pick<ClockRule, 'name' | 'logGroup'>) {
    this.#client = client;
    this.name = name;
    this.logGroup = logGroup;
  }

  async isEnabled(): Promise<boolean | undefined> {
    const rule = await undefinedIfMissing(this.#client.describeRule({ Name: this.name }));
    return rule && rule.State !== 'DISABLED';
  }
}
