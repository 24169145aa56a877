import { Duration, Validations } from 'aws-cdk-lib';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import type { Tables } from '../storage/tables.ts';
import { fireTimersSettings, grantFireTimers } from './clock.ts';

export interface WakeupsProps extends ServiceProps {
  readonly tables: Tables;
  readonly stream: Stream;
}

/** The timeout of the function, and the visibility timeout of its queue. */
const timeout = Duration.minutes(1);

/**
 * The queue whose messages are delivered at exact seconds, and the function that then fires the due timers. A message
 * contains only a time, so the queue does not use the tracker's encryption key.
 *
 * If a message is lost, its timers still fire, because the clock fires them within a minute. Messages that are not
 * processed therefore expire, without a dead-letter queue.
 */
export class Wakeups extends ServiceFunction {
  readonly source: SqsEventSource;
  readonly #queue: Queue;

  constructor(scope: Construct, id: string, props: WakeupsProps) {
    super(scope, id, {
      ...props,
      bundle: 'wakeup',
      description: 'Milepost: fires timers at the exact second',
      memorySize: 512,
      timeout,
      environment: fireTimersSettings(props),
    });
    grantFireTimers(this.function, props);
    this.#queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      visibilityTimeout: timeout,
      // The retention includes the delay of a message, which is at most 15 minutes.
      retentionPeriod: Duration.minutes(20),
    });
    Validations.of(this.#queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'The clock fires the timers of a lost message within a minute.',
    });
    this.source = new SqsEventSource(this.#queue, { batchSize: 10, maxConcurrency: 2 });
    this.function.addEventSource(this.source);
  }

  /** Grants a function permission to schedule wake-ups and passes the queue's URL to the function. */
  connect(fn: Function): void {
    this.#queue.grant(fn, 'sqs:SendMessage');
    fn.addEnvironment('MILEPOST_WAKEUPS', this.#queue.queueUrl);
  }
}
