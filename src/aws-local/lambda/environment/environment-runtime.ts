import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { responseLimitBytes } from '../limits.ts';
import {
  type EnvironmentData,
  type EnvironmentMessage,
  type InvocationMessage,
  messageFd,
  type ResourceUsage,
} from './environment-protocol.ts';
import { type Handler, loadHandler } from './load-handler.ts';
import { captureOutput } from './runtime-console.ts';
import { errorLogJson, errorPayload, RuntimeError } from './runtime-error.ts';

// Runs inside an execution environment and replaces AWS's Node.js runtime. Unhandled rejections and exceptions are
// left to Node.js, which exits with status 1, like the runtime of Node.js 24.

const { channel } = process;
// Hide the IPC channel and this variable from the function: they belong to the host.
process.send = undefined;
// oxlint-disable-next-line node/no-process-env -- intended only for Node.js
delete process.env.NODE_COMPILE_CACHE;

// The host handles Ctrl-C and similar signals. When the host exits, so does this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());

const { codePath, handler, context } = JSON.parse(process.argv[2] ?? '') as EnvironmentData;
let requestId: string | undefined;
const logError = captureOutput(
  (text) => sendMessage({ kind: 'output', text }),
  () => requestId,
);

/** Sends synchronously, so that messages survive a crash of this process. */
function sendMessage(message: EnvironmentMessage): void {
  try {
    writeFileSync(messageFd, `${JSON.stringify(message)}\n`);
  } catch {
    // The write fails only if the host has just exited.
    process.exit();
  }
}

function resourceUsage(): ResourceUsage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMicroseconds: userCPUTime + systemCPUTime, memoryBytes: maxRSS * 1024 };
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

async function sendResult(run: Handler, message: InvocationMessage): Promise<string> {
  const result = await run(JSON.parse(message.payload), invocationContext(message));
  // Like AWS's runtime, wait one turn of the event loop, in which an unhandled rejection ends the process.
  await new Promise(setImmediate);
  try {
    return JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch {
    throw new RuntimeError('Runtime.JSONStringifyError', 'Unable to stringify response body');
  }
}

async function invoke(run: Handler, message: InvocationMessage): Promise<void> {
  requestId = message.requestId;
  // Without other pending work, a handler that never settles then ends the process instead of exceeding its timeout.
  channel?.unref();
  let payload: string;
  let failed = false;
  try {
    payload = await sendResult(run, message);
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
  channel?.ref();
  sendMessage({ kind: 'done', payload, failed, use: resourceUsage() });
}

/**
 * Saves compiled code for the next environment, which halves the CPU time of its start; this process may be killed at
 * any time. Runs after the load and, for functions that only invocations compile, after the first invocation.
 */
const keepCompiled = (): void => void setImmediate(flushCompileCache);

try {
  const run = await loadHandler(codePath, handler);
  let isFirst = true;
  process.on('message', (message: InvocationMessage) => {
    void invoke(run, message).then(() => {
      if (isFirst) keepCompiled();
      isFirst = false;
    });
  });
  sendMessage({ kind: 'ready', use: resourceUsage() });
  keepCompiled();
} catch (error) {
  logError('Init Error', `\t${errorLogJson(error)}`);
  const payload = errorPayload(error);
  sendMessage({
    kind: 'init-failed',
    payload: JSON.stringify(payload),
    errorType: payload.errorType,
    use: resourceUsage(),
  });
}
