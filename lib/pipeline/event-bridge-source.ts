import { Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type EventPattern,
  type IEventBus,
  type IRuleTarget,
  Rule,
  type RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { allow } from '../allow.ts';
import { eventBridge } from '../keys/warn-of-imported-key.ts';
import { addAlarm } from '../monitoring/add-alarm.ts';
import { requireSameAccount, requireSameRegion } from '../options/require-same-region.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { inputOf, isPath, type MappedEvent, withoutReserved } from './event-bridge-event.ts';

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_InputTransformer.html */
const maximumTemplateLength = 8_192;

/** The selection of events from a bus, and their mapping to Milepost events. */
export interface EventBridgeSourceProps {
  /** The bus with the events. @default the account's default bus, which receives the events of AWS services */
  readonly bus?: IEventBus;
  /** Selects events from the bus. */
  readonly eventPattern: EventPattern;
  /** Maps each selected event to a Milepost event. */
  readonly event: MappedEvent;
}

/** The properties that a tracker passes to an event source. */
export interface EventBridgeSourceScope extends EventBridgeSourceProps {
  readonly stream: Stream;
  readonly alarmTopic?: ITopic;
  /** Returns true if the tracker has a model. Called during synthesis, when all models have been added. */
  readonly hasModel: (id: string) => boolean;
}

/**
 * A rule that puts events from a bus on the stream. EventBridge retries failed puts for up to 24 hours. After that,
 * EventBridge sends the events to a dead-letter queue, and an alarm goes off.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker');
 * const source: EventBridgeSource = tracker.addEventBridgeSource('Shop', {
 *   eventPattern: { source: ['com.example.shop'], detailType: ['order.paid'] },
 *   event: { modelId: 'orders', transactionId: '$.detail.orderId' },
 * });
 */
export class EventBridgeSource extends Construct {
  /** The rule that selects and maps the events. */
  readonly rule: Rule;
  /** Bus events that could not be put on the stream, unchanged. */
  readonly deadLetterQueue: Queue;
  /** The alarm that goes off when the dead-letter queue contains an event. */
  readonly alarm: Alarm;

  /** @internal Created by `addEventBridgeSource`. */
  constructor(scope: Construct, id: string, props: EventBridgeSourceScope) {
    super(scope, id);
    const { bus, eventPattern, event, stream } = props;
    const input = inputOf(id, event);
    if (bus !== undefined) {
      // EventBridge would create the rule in the account and region of the stack, on another bus of the same name.
      requireSameRegion(this, `event source "${id}": \`bus\``, 'bus', bus);
      requireSameAccount(this, `event source "${id}": \`bus\``, bus);
    }
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters');
    this.deadLetterQueue = deadLetters;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal(eventBridge),
    });
    // Unlike Stream.grantWrite, this does not permit listing shards.
    allow(role, ['kinesis:PutRecord', 'kinesis:PutRecords'], [stream.streamArn]);
    stream.encryptionKey?.grantEncrypt(role);

    const target: IRuleTarget = {
      bind: () => ({
        arn: stream.streamArn,
        role,
        input,
        targetResource: stream,
        deadLetterConfig: { arn: deadLetters.queueArn },
        // The path refers to the original bus event, not to the mapped record.
        kinesisParameters: { partitionKeyPath: event.transactionId },
      }),
    };
    this.rule = new Rule(this, 'Rule', {
      description: `Milepost: events for ${isPath(event.modelId) ? 'models' : `the model ${event.modelId}`}`,
      eventBus: bus,
      eventPattern: withoutReserved(id, eventPattern, event),
      targets: [target],
    });
    this.#checkTemplate(id, input);
    // The CDK does not permit this for custom targets.
    deadLetters.acceptFrom(this.rule.ruleArn);
    this.alarm = this.#alarmOf(deadLetters, props.alarmTopic);
    this.node.addValidation({
      validate: () =>
        isPath(event.modelId) || props.hasModel(event.modelId)
          ? []
          : [
              `the model "${event.modelId}" does not exist in the tracker; add it with addModel or addModelFunction`,
            ],
    });
  }

  /** @throws MilepostError `bad-request` if the mapping is too large for EventBridge. */
  #checkTemplate(id: string, input: RuleTargetInput): void {
    // With tokens, the length is known only during the deployment.
    const template: unknown = Stack.of(this).resolve(input.bind(this.rule).inputTemplate);
    if (typeof template === 'string' && template.length > maximumTemplateLength)
      throw new MilepostError(
        'bad-request',
        `event source "${id}": the mapping must have at most ${maximumTemplateLength} characters as JSON, which is EventBridge's limit; got ${template.length}`,
      );
  }

  #alarmOf(deadLetters: DeadLetterQueue, topic: ITopic | undefined): Alarm {
    const notPut = {
      name: 'NotPut',
      description: 'events from a bus could not be put on the stream; see the dead-letter queue',
      metric: deadLetters.metricUndelivered(),
    };
    return addAlarm(this, notPut.name, notPut, topic);
  }
}
