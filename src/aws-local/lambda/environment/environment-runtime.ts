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

// Runs inside an execution environment: the part of AWS's Node.js runtime.
// Unhandled rejections and exceptions are left to Node.js, which ends the
// process with exit status 1, as the runtime of Node.js 24 leaves them too.

const { channel } = process;
// The function sees a process like any other: the channel and this variable are its host's.
process.send = undefined;
// oxlint-disable-next-line node/no-process-env -- it was for Node.js alone
delete process.env.NODE_COMPILE_CACHE;

// Ctrl-C and the like are the host's business; where it is gone, this process goes too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());

const { codePath, handler, context } = JSON.parse(process.argv[2] ?? '') as EnvironmentData;
let requestId: string | undefined;
const logError = captureOutput(
  (text) => sendMessage({ kind: 'output', text }),
  () => requestId,
);

/** At once: whatever ends this process in the next moment, what it told is there. */
function sendMessage(message: EnvironmentMessage): void {
  try {
    writeFileSync(messageFd, `${JSON.stringify(message)}\n`);
  } catch {
    // The host has just gone.
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

/** Keeps what has been compiled for the next environment; this one may be killed at any time. */
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
