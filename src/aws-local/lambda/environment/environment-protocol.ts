/** What an execution environment's process is started with, as JSON in its only argument. */
export interface EnvironmentData {
  readonly codePath: string;
  readonly handler: string;
  /** The part of the context object that is the same for every invocation. */
  readonly context: Record<string, unknown>;
}

/** One invocation, on its way into the environment by Node's own channel. */
export interface InvocationMessage {
  readonly requestId: string;
  readonly invokedFunctionArn: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** JSON. */
  readonly payload: string;
  /** JSON. */
  readonly clientContext?: string;
}

/** What the process has used since it was started. */
export interface ResourceUsage {
  readonly cpuMicroseconds: number;
  /** The most that it held at any time. */
  readonly memoryBytes: number;
}

/** The pipe by which the process tells its host things, a line of JSON each. */
export const messageFd = 4;

/** What the environment's process tells its host. */
export type EnvironmentMessage =
  | { kind: 'output'; text: string }
  | { kind: 'ready'; use: ResourceUsage }
  | { kind: 'init-failed'; payload: string; errorType: string; use: ResourceUsage }
  | { kind: 'done'; payload: string; failed: boolean; use: ResourceUsage };
