import type { Context, KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import { toStreamRecord } from '../../src/aws/stream/kinesis-event.ts';
import type { Clock } from '../../src/common/clock.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';

/** Kept back from the function's time for the answer, in milliseconds. */
const timeToAnswer = 5_000;

/**
 * Handles a batch of records.
 *
 * @param deadline when the handling has to end.
 * @returns the records to deliver again.
 */
export type BatchHandler = (
  records: readonly StreamRecord[],
  deadline: Deadline,
) => Promise<StreamRecord[]>;

/** The handler of a Lambda function that reads a Kinesis stream and reports failed records one by one. */
export const streamHandler =
  (clock: Clock, handle: BatchHandler) =>
  async (
    event: KinesisStreamEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<KinesisStreamBatchResponse> => {
    const time = context.getRemainingTimeInMillis() - timeToAnswer;
    const deadline = new Deadline(clock, clock.now() + time);
    const failed = await handle(event.Records.map(toStreamRecord), deadline);
    return {
      batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
    };
  };
