import type { Context, KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import { toStreamRecord } from '../../src/aws/stream/kinesis-event.ts';
import type { Clock } from '../../src/common/clock.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';

/** How much of the invocation's time to reserve for the response, in milliseconds. */
const timeToAnswer = 5_000;

/**
 * Handles a batch of stream records.
 *
 * @param deadline the latest time for the handler to return.
 * @returns the records that the stream must redeliver.
 */
export type BatchHandler = (
  records: readonly StreamRecord[],
  deadline: Deadline,
) => Promise<StreamRecord[]>;

/** Creates a Lambda handler for batches of a Kinesis stream, with partial batch responses. */
export const streamHandler =
  (clock: Clock, handle: BatchHandler) =>
  async (
    event: KinesisStreamEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<KinesisStreamBatchResponse> => {
    const deadline = Deadline.in(clock, context.getRemainingTimeInMillis() - timeToAnswer);
    const failed = await handle(event.Records.map(toStreamRecord), deadline);
    return {
      batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
    };
  };
