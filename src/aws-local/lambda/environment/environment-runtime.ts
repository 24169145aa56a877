import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { responseLimitBytes, responseTooLarge } from '../limits.ts';
import {
  type EnvironmentData,
  type EnvironmentMessage,
  type InvocationMessage,
  messageFd,
  type ResourceUsage,
} from './environment-protocol.ts';
import { type Handler, loadHandler } from './load-handler.ts';
import { captureOutput } from './runtime-console.ts';
import { errorPayload, RuntimeError } from './runtime-error.ts';

// Runs inside an execution environment in place of AWS's Node.js runtime. On an unhandled rejection or exception,
// Node.js exits with status 1, as in Lambda's runtime for Node.js 24.

const { channel } = process;
// Hide the IPC channel and the compile cache's environment variable from the function.
process.send = undefined;
// oxlint-disable-next-line node/no-process-env -- intended only for Node.js
delete process.env.NODE_COMPILE_CACHE;

// Ignore Ctrl+C and similar signals, which the host handles. When the host exits, this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());

const { codePath, handler, context } = JSON.parse(process.argv[2] ?? '') as EnvironmentData;
let requestId: string | undefined;
const logError = captureOutput(
  (text) => sendMessage({ kind: 'output', text }),
  () => requestId,
);

/** Sends a message to the host synchronously so that the message survives a crash of this process. */
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
  // Like AWS's runtime, wait one turn of the event loop, during which an unhandled rejection ends the process.
  await new Promise(setImmediate);
  try {
    return JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch {
    throw new RuntimeError('Runtime.JSONStringifyError', 'Unable to stringify response body');
  }
}

async function invoke(run: Handler, message: InvocationMessage): Promise<void> {
  requestId = message.requestId;
  // If no other work is pending, a handler that never settles then ends the process instead of reaching the timeout.
  channel?.unref();
  let payload: string;
  let failed = false;
  try {
    payload = await sendResult(run, message);
    if (Buffer.byteLength(payload) > responseLimitBytes) {
      failed = true;
      payload = responseTooLarge;
    }
  } catch (error) {
    failed = true;
    await new Promise(setImmediate);
    logError('Invoke Error', error);
    payload = JSON.stringify(errorPayload(error));
  }
  channel?.ref();
  sendMessage({ kind: 'done', payload, failed, use: resourceUsage() });
}

/**
 * Saves compiled code, which halves the CPU time that the next environment needs to start. Does not wait until the
 * process exits, because it can be killed at any time. Runs after the module has loaded and after the first invocation,
 * which compiles more code.
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
  logError('Init Error', error);
  const payload = errorPayload(error);
  sendMessage({
    kind: 'init-failed',
    payload: JSON.stringify(payload),
    errorType: payload.errorType,
    use: resourceUsage(),
  });
}
