/** The data that an execution environment's process receives when it starts, as a single JSON argument. */
export interface EnvironmentData {
  readonly codePath: string;
  readonly handler: string;
  /** The part of the context object that is identical for every invocation. */
  readonly context: Record<string, unknown>;
}

/** An invocation, sent to a Node.js function through the IPC channel, and to other programs through the Runtime API. */
export interface InvocationMessage {
  readonly requestId: string;
  readonly invokedFunctionArn: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadline: number;
  /** The event as JSON. */
  readonly payload: string;
  /** The client context as JSON. */
  readonly clientContext?: string;
}

/** The resources used since the process started. */
export interface ResourceUsage {
  readonly cpuMicroseconds: number;
  /** The peak resident memory, in bytes. */
  readonly memoryBytes: number;
}

/** The file descriptor of the pipe to the host. Each line that is written to the pipe is a JSON message. */
export const messageFd = 4;

/** A message from the environment's process to its host. */
export type EnvironmentMessage =
  | { kind: 'output'; text: string }
  | { kind: 'ready'; use: ResourceUsage }
  | { kind: 'init-failed'; payload: string; errorType: string; use: ResourceUsage }
  | { kind: 'done'; payload: string; failed: boolean; use: ResourceUsage };
