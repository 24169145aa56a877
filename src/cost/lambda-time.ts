/** The CPU time of the dispatcher and the model, in milliseconds per event. */
export interface CpuPerEvent {
  readonly dispatcher: number;
  readonly model: number;
}

/** The memory in MB that provides one vCPU; the CPU share is proportional to memory. */
const memoryOfOneProcessor = 1_769;
/** The latency of a request from a function to DynamoDB or a bus, in milliseconds. */
const answerTime = 5;
/** The overhead of an invocation, in milliseconds. */
const invokeTime = 5;

/** The durations of the functions for a batch, in milliseconds. */
export interface Durations {
  readonly dispatcher: number;
  readonly model: number;
}

/**
 * Estimates the durations of the dispatcher and the model for a batch: their CPU time at their CPU share, and the
 * time that they wait. The dispatcher waits for the model.
 *
 * @param rounds the number of sequential round trips of the model.
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

/** The memory of the publisher, in MB. */
export const publisherMemory = 512;
/** The CPU time of a notification in the publisher, in milliseconds, measured in batches of 100. */
const publisherCpu = 0.06;
/** The maximum number of notifications in flight: eight requests of ten. */
const notificationsAtOnce = 80;

/** Estimates the duration of the publisher for a batch, in milliseconds. */
export function publisherDuration(notifications: number): number {
  const share = Math.max(1, memoryOfOneProcessor / publisherMemory);
  const rounds = Math.ceil(notifications / notificationsAtOnce);
  return publisherCpu * notifications * share + rounds * answerTime;
}
