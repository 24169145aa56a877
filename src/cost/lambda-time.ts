/** What it takes of a processor to run dispatcher and model, in milliseconds for each event. */
export interface CpuPerEvent {
  readonly dispatcher: number;
  readonly model: number;
}

/** The memory, in MB, with which a function has one processor; its share goes with its memory. */
const memoryOfOneProcessor = 1_769;
/** How long a request to DynamoDB or to a bus is under way from a function, in milliseconds. */
const answerTime = 5;
/** How long an invocation is under way beside what the function does, in milliseconds. */
const invokeTime = 5;

/** How long the functions run for one batch, in milliseconds. */
export interface Durations {
  readonly dispatcher: number;
  readonly model: number;
}

/**
 * How long dispatcher and model run for a batch: what they compute, at their share of a processor,
 * and what they wait for; the dispatcher waits for the model.
 *
 * @param rounds how often the model waits for answers, one after the other.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export function durationsOf(
  cpu: CpuPerEvent,
  memory: { readonly dispatcher: number; readonly model: number },
  batch: { readonly events: number; readonly rounds: number },
): Durations {
  const computing = (ms: number, megabytes: number) =>
    ms * batch.events * Math.max(1, memoryOfOneProcessor / megabytes);
  const model = computing(cpu.model, memory.model) + batch.rounds * answerTime;
  return { model, dispatcher: computing(cpu.dispatcher, memory.dispatcher) + invokeTime + model };
}

/** The publisher's memory, in MB. */
export const publisherMemory = 512;
/** What a notification takes of a processor in the publisher, in milliseconds, in a batch of 100. */
const publisherCpu = 0.06;
/** How many notifications the publisher has under way: eight requests of ten. */
const notificationsAtOnce = 80;

/** How long the publisher runs for a batch, in milliseconds. */
export function publisherDuration(notifications: number): number {
  const share = Math.max(1, memoryOfOneProcessor / publisherMemory);
  const rounds = Math.ceil(notifications / notificationsAtOnce);
  return publisherCpu * notifications * share + rounds * answerTime;
}
