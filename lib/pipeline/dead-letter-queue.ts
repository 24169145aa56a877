import { Duration, Validations } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { eventBridge } from '../keys/warn-of-imported-key.ts';

/**
 * A queue for events that EventBridge accepted but cannot deliver. SQS encrypts the queue with its own key, not with the
 * tracker's encryption key: EventBridge discards an event if it cannot send the event to the queue, and the encryption
 * key may be the very resource that EventBridge cannot use.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
 */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is a dead-letter queue, which operators empty.',
    });
  }

  /** Permits EventBridge to send the undelivered events of a rule or bus to the queue. */
  acceptFrom(sourceArn: string): void {
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(eventBridge)],
        actions: ['sqs:SendMessage'],
        resources: [this.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': sourceArn } },
      }),
    );
  }

  /** Returns the metric for the number of undelivered events, which is at least 1 until an operator empties the queue. */
  metricUndelivered(): Metric {
    return this.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM });
  }
}
