import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type {
  EnvironmentData,
  EnvironmentMessage,
  InvocationMessage,
  ResourceUse,
} from './environment-protocol.ts';
import { responseLimitBytes } from './limits.ts';
import { type Handler, loadHandler } from './load-handler.ts';
import { captureOutput } from './runtime-console.ts';
import { errorLogJson, errorPayload, RuntimeError } from './runtime-error.ts';

// Runs inside an execution environment: the part of AWS's Node.js runtime.
// Unhandled rejections and exceptions are left to Node.js, which ends the
// thread with exit status 1, as the runtime of Node.js 24 leaves them too.

if (parentPort === null) throw new Error('an execution environment is a worker thread');
const port = parentPort;
const { codePath, handler, context }: EnvironmentData = workerData;
let requestId: string | undefined;
const logError = captureOutput(
  (text) => tell({ kind: 'output', text }),
  () => requestId,
);

function tell(message: EnvironmentMessage): void {
  port.postMessage(message);
}

function use(): ResourceUse {
  const cpu = process.threadCpuUsage();
  const heap = getHeapStatistics();
  return {
    cpuMicroseconds: cpu.user + cpu.system,
    memoryBytes: heap.used_heap_size + heap.external_memory,
  };
}

function invocationContext(message: InvocationMessage): object {
  return {
    ...context,
    awsRequestId: message.requestId,
    invokedFunctionArn: message.invokedFunctionArn,
    clientContext:
      message.clientContext === undefined ? undefined : JSON.parse(message.clientContext),
    identity: undefined,
    getRemainingTimeInMillis: () => message.deadline - Date.now(),
  };
}

async function answer(run: Handler, message: InvocationMessage): Promise<string> {
  const result = await run(JSON.parse(message.payload), invocationContext(message));
  // The runtime waits a turn, in which a rejection that nobody handles ends the process.
  await new Promise(setImmediate);
  try {
    return JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch {
    throw new RuntimeError('Runtime.JSONStringifyError', 'Unable to stringify response body');
  }
}

async function invoke(run: Handler, message: InvocationMessage): Promise<void> {
  requestId = message.requestId;
  // With nothing but the next invocation to wait for, a handler that never
  // settles ends the process, instead of running into its timeout.
  port.unref();
  let payload: string;
  let failed = false;
  try {
    payload = await answer(run, message);
    if (Buffer.byteLength(payload) > responseLimitBytes) {
      failed = true;
      payload = JSON.stringify({
        errorType: 'Function.ResponseSizeTooLarge',
        errorMessage: `Response payload size exceeded maximum allowed payload size (${responseLimitBytes} bytes).`,
      });
    }
  } catch (error) {
    failed = true;
    await new Promise(setImmediate);
    logError('Invoke Error', `\t${errorLogJson(error)}`);
    payload = JSON.stringify(errorPayload(error));
  }
  port.ref();
  tell({ kind: 'done', payload, failed, use: use() });
}

try {
  const run = await loadHandler(codePath, handler);
  port.on('message', (message: InvocationMessage) => void invoke(run, message));
  tell({ kind: 'ready', use: use() });
} catch (error) {
  logError('Init Error', `\t${errorLogJson(error)}`);
  const payload = errorPayload(error);
  tell({
    kind: 'init-failed',
    payload: JSON.stringify(payload),
    errorType: payload.errorType,
    use: use(),
  });
}
