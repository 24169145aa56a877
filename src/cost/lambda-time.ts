/** The CPU time of the dispatcher and the model's function for each event, in milliseconds. */
export interface CpuPerEvent {
  readonly dispatcher: number;
  readonly model: number;
}

/** The memory, in MB, at which a function has one vCPU. CPU is proportional to memory. */
const memoryOfOneProcessor = 1_769;
/** How long a function waits for a response from DynamoDB or EventBridge, in milliseconds. */
const answerTime = 5;
/** The overhead of invoking a function, in milliseconds. */
const invokeTime = 5;

/** The durations of the functions for one batch that AWS charges for, in milliseconds. */
export interface Durations {
  readonly dispatcher: number;
  readonly model: number;
}

/**
 * Estimates how long the dispatcher and the model's function run for a batch. A duration is the CPU time at the
 * function's share of a vCPU, plus the time spent waiting. The dispatcher waits for the model's function.
 *
 * @param batch.rounds how many sequential requests the model's function waits for.
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
/** The publisher's CPU time for a notification in a batch of 100, in milliseconds. */
const publisherCpu = 0.06;
/** The number of notifications that the publisher sends concurrently: eight requests with ten notifications each. */
const notificationsAtOnce = 80;

/** Estimates how long the publisher runs for a batch, in milliseconds. */
export function publisherDuration(notifications: number): number {
  const share = Math.max(1, memoryOfOneProcessor / publisherMemory);
  const rounds = Math.ceil(notifications / notificationsAtOnce);
  return publisherCpu * notifications * share + rounds * answerTime;
}
