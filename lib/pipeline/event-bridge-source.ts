import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type EventPattern, type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { addAlarm } from '../monitoring/add-alarm.ts';
import { inputOf, isPath, type MappedEvent, withoutReserved } from './event-bridge-event.ts';

/** Which events of a bus are put on the stream, and as what. */
export interface EventBridgeSourceProps {
  /** Where the events are. @default the default bus of the account, which AWS services put their events on */
  readonly bus?: IEventBus;
  /** Which events of the bus are taken. */
  readonly eventPattern: EventPattern;
  /** What each becomes: a path into the bus's event for each attribute. */
  readonly event: MappedEvent;
}

/** What a source gets from its tracker. */
export interface EventBridgeSourceScope extends EventBridgeSourceProps {
  readonly stream: Stream;
  readonly encryptionKey?: IKey;
  readonly alarmTopic?: ITopic;
  /** Whether the tracker has a model, asked when everything is there. */
  readonly hasModel: (id: string) => boolean;
}

/**
 * A rule that puts events of a bus on the stream. EventBridge tries for a day; what it then has not
 * put is in the queue, and an alarm goes off.
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
  /** Which events it takes, and what becomes of them. */
  readonly rule: Rule;
  /** Events, as the bus had them, that could not be put on the stream. */
  readonly deadLetterQueue: Queue;
  /** Goes off when the queue holds anything. */
  readonly alarm: Alarm;

  /** @internal `addEventBridgeSource` makes it. */
  constructor(scope: Construct, id: string, props: EventBridgeSourceScope) {
    super(scope, id);
    const { bus, eventPattern, event, stream, encryptionKey } = props;
    const input = inputOf(id, event);
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      encryption: encryptionKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
      encryptionMasterKey: encryptionKey,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the queue of dead letters; people empty it.',
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('events.amazonaws.com'),
    });
    role.addToPolicy(
      // Not Stream.grantWrite, which would let it list shards too.
      new PolicyStatement({
        actions: ['kinesis:PutRecord', 'kinesis:PutRecords'],
        resources: [stream.streamArn],
      }),
    );
    stream.encryptionKey?.grantEncrypt(role);

    const target: IRuleTarget = {
      bind: () => ({
        arn: stream.streamArn,
        role,
        input,
        targetResource: stream,
        deadLetterConfig: { arn: this.deadLetterQueue.queueArn },
        // It goes by the event as the bus has it.
        kinesisParameters: { partitionKeyPath: event.transactionId },
      }),
    };
    this.rule = new Rule(this, 'Rule', {
      description: `Milepost: events for ${isPath(event.modelId) ? 'models' : `the model ${event.modelId}`}`,
      eventBus: bus,
      eventPattern: withoutReserved(id, eventPattern, event),
      targets: [target],
    });
    this.#letRuleSend(encryptionKey);
    this.alarm = this.#alarmOf(props.alarmTopic);
    this.node.addValidation({
      validate: () =>
        isPath(event.modelId) || props.hasModel(event.modelId)
          ? []
          : [`it is for the model "${event.modelId}", which the tracker does not have`],
    });
  }

  /** A target of one's own gets nothing by itself: see `Rule.addTarget` of the CDK's. */
  #letRuleSend(encryptionKey: IKey | undefined): void {
    const ofRule = { ArnEquals: { 'aws:SourceArn': this.rule.ruleArn } };
    const principals = [new ServicePrincipal('events.amazonaws.com')];
    this.deadLetterQueue.addToResourcePolicy(
      new PolicyStatement({
        principals,
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetterQueue.queueArn],
        conditions: ofRule,
      }),
    );
    encryptionKey?.addToResourcePolicy(
      new PolicyStatement({
        principals,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        // The rule's own ARN would have the key depend on what depends on it.
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }

  #alarmOf(topic: ITopic | undefined): Alarm {
    const notPut = {
      name: 'NotPut',
      description: 'events of a bus could not be put on the stream; see the queue',
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: Stats.MAXIMUM,
      }),
    };
    return addAlarm(this, notPut.name, notPut, topic);
  }
}
