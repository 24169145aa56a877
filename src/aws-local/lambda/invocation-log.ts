import { logTailBytes, maximumLogLength } from './limits.ts';

/** The data of a REPORT line. */
export interface InvocationReport {
  readonly requestId: string;
  readonly durationMs: number;
  readonly memoryMb: number;
  readonly maxMemoryUsedBytes: number;
  /** The duration of the initialization, in milliseconds. Defined only for the first invocation in an environment. */
  readonly initDurationMs?: number;
  /** The failure of the environment; undefined if the environment did not fail. */
  readonly status?: 'timeout' | 'error';
  readonly errorType?: string;
}

/** Matches the lines that Lambda itself logs for each initialization and each invocation. */
export const linesOfLambda = /^(?:START|END|REPORT|INIT_START|INIT_REPORT) /;

export function initStartLine(runtime: string): string {
  const version = runtime.startsWith('nodejs') ? `nodejs:${process.versions.node}` : runtime;
  return `INIT_START Runtime Version: ${version}\n`;
}

/** Returns the log line for a module that failed to load. */
export function initReportLine(durationMs: number, errorType = 'Sandbox.Timedout'): string {
  return `INIT_REPORT Init Duration: ${durationMs.toFixed(2)} ms\tPhase: init\tStatus: error\tError Type: ${errorType}\t\n`;
}

export function startLine(requestId: string, version: string): string {
  return `START RequestId: ${requestId} Version: ${version}\n`;
}

/**
 * Returns the END and REPORT lines of an invocation. The billed duration of an environment's first invocation includes
 * the initialization.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
export function endLines(report: InvocationReport): string {
  const init = report.initDurationMs;
  const fields = [
    `REPORT RequestId: ${report.requestId}`,
    `Duration: ${report.durationMs.toFixed(2)} ms`,
    `Billed Duration: ${Math.ceil(report.durationMs + (init ?? 0))} ms`,
    `Memory Size: ${report.memoryMb} MB`,
    `Max Memory Used: ${Math.ceil(report.maxMemoryUsedBytes / 1_048_576)} MB`,
    ...(init === undefined ? [] : [`Init Duration: ${init.toFixed(2)} ms`]),
    ...(report.status === undefined ? [] : [`Status: ${report.status}`]),
    ...(report.errorType === undefined ? [] : [`Error Type: ${report.errorType}`]),
  ];
  return `END RequestId: ${report.requestId}\n${fields.join('\t')}\t\n`;
}

/** The log line that replaces the omitted rest of an invocation's output. */
export const logLimitLine = `The local service keeps the first ${maximumLogLength / 1_048_576} MB of each invocation's log; the rest of this log is omitted.\n`;

/** Collects an invocation's log, but keeps only the end. */
export class LogTail {
  #text = '';

  append(text: string): void {
    this.#text += text;
    // A character takes at least one byte, so the last `logTailBytes` characters are enough.
    if (this.#text.length > 16 * logTailBytes) this.#text = this.#text.slice(-logTailBytes);
  }

  /** Returns the last 4 KB in Base64, as in the header `X-Amz-Log-Result`. */
  base64(): string {
    return Buffer.from(this.#text).subarray(-logTailBytes).toString('base64');
  }
}

/** Splits output into lines without line breaks. */
export class LineSplitter {
  readonly #line: (line: string) => void;
  readonly #maximumLength: number;
  #parts: string[] = [];
  #length = 0;

  /**
   * @param maximumLength the length, in characters, at which an unfinished line is emitted without waiting for its end
   *   so that endless output does not fill the memory.
   */
  constructor(line: (line: string) => void, maximumLength = Number.POSITIVE_INFINITY) {
    this.#line = line;
    this.#maximumLength = maximumLength;
  }

  write(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#add(text.slice(start, end));
      start = end + 1;
      this.#emit();
    }
    this.#add(text.slice(start));
    if (this.#length >= this.#maximumLength) this.#emit();
  }

  #add(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  #emit(): void {
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#line(line);
  }
}
