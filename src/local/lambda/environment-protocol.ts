/** What an execution environment's thread is started with. */
export interface EnvironmentData {
  codePath: string;
  handler: string;
  /** The part of the context object that is the same for every invocation. */
  context: Record<string, unknown>;
}

/** One invocation, on its way into the environment. */
export interface InvocationMessage {
  requestId: string;
  invokedFunctionArn: string;
  /** Milliseconds since 1970. */
  deadline: number;
  /** JSON. */
  payload: string;
  /** JSON. */
  clientContext?: string;
}

/** What the thread has used so far, and holds now. */
export interface ResourceUse {
  cpuMicroseconds: number;
  memoryBytes: number;
}

/** What the environment's thread tells its host. */
export type EnvironmentMessage =
  | { kind: 'output'; text: string }
  | { kind: 'ready'; use: ResourceUse }
  | { kind: 'init-failed'; payload: string; errorType: string; use: ResourceUse }
  | { kind: 'done'; payload: string; failed: boolean; use: ResourceUse };
