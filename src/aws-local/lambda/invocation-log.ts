import { logTailBytes } from './limits.ts';

/** What a REPORT line says. */
export interface InvocationReport {
  readonly requestId: string;
  readonly durationMs: number;
  readonly memoryMb: number;
  readonly maxMemoryUsedBytes: number;
  /** Of the first invocation in an environment. */
  readonly initDurationMs?: number;
  /** How the environment came to its end, if it did. */
  readonly status?: 'timeout' | 'error';
  readonly errorType?: string;
}

export function initStartLine(runtime: string): string {
  const version = runtime.startsWith('nodejs') ? `nodejs:${process.versions.node}` : runtime;
  return `INIT_START Runtime Version: ${version}\n`;
}

/** Written when a function's module could not be loaded. */
export function initReportLine(durationMs: number, errorType = 'Sandbox.Timedout'): string {
  return `INIT_REPORT Init Duration: ${durationMs.toFixed(2)} ms\tPhase: init\tStatus: error\tError Type: ${errorType}\t\n`;
}

export function startLine(requestId: string, version: string): string {
  return `START RequestId: ${requestId} Version: ${version}\n`;
}

/**
 * The two lines after an invocation. The first one in an environment is billed
 * with its initialisation.
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

/** Keeps the end of an invocation's log. */
export class LogTail {
  #text = '';

  append(text: string): void {
    this.#text += text;
    // A character is at least a byte: what is cut here could not be in the tail.
    if (this.#text.length > 16 * logTailBytes) this.#text = this.#text.slice(-logTailBytes);
  }

  /** The last 4 KB, as the header `X-Amz-Log-Result` carries them. */
  base64(): string {
    return Buffer.from(this.#text).subarray(-logTailBytes).toString('base64');
  }
}

/** Cuts what is written into lines, without their ends. */
export class LineSplitter {
  readonly #line: (line: string) => void;
  #parts: string[] = [];

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  write(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = [...this.#parts.splice(0), text.slice(start, end)].join('');
      start = end + 1;
      this.#line(line);
    }
    this.#parts.push(text.slice(start));
  }
}
