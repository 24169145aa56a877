import process from 'node:process';
import type { Command } from 'commander';
import * as v from 'valibot';
import {
  type ApiClient,
  type ApiResponse,
  createApiClient,
  type RetryOptions,
} from './client/api-client.ts';
import type { CliContext, SignalSource } from './context.ts';
import { escapeJson } from './output/escape.ts';
import { type Paint, painterFor } from './output/style.ts';
import { type Cell, type Column, renderTable } from './output/table.ts';

/** 0: done; 1: the service said no or could not be reached; 2: bad usage. */
export type ExitStatus = number;

/** The options that every command takes. */
export interface GlobalOptions {
  readonly api: string;
  readonly json?: true;
}

/** One run of the command line: what a command's action writes to and asks. */
export class Cli {
  readonly context: CliContext;
  readonly paint: Paint;
  /** What the run ends with, unless it is thrown out of. */
  status: ExitStatus = 0;

  constructor(context: CliContext) {
    this.context = context;
    this.paint = painterFor(context.stdout, context.env);
  }

  /** A client of the service that `--api` names. Ends the run where that is no HTTP address. */
  api(command: Command, patience?: RetryOptions): ApiClient {
    const { api } = command.optsWithGlobals<GlobalOptions>();
    const url = URL.parse(api);
    if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash)
      command.error(`error: --api must be an address like http://127.0.0.1:4500, not '${api}'`);
    if (url.username || url.password)
      command.error('error: --api must have no user name or password in it');
    const base = url.origin + url.pathname.replace(/\/+$/, '');
    return createApiClient(base, this.context, patience);
  }

  /** The terminal's columns; undefined where standard output goes elsewhere. */
  get width(): number | undefined {
    const { isTTY, columns } = this.context.stdout;
    return isTTY ? columns : undefined;
  }

  get signals(): SignalSource {
    return this.context.signals ?? process;
  }

  print(text: string): void {
    this.context.stdout.write(`${text}\n`);
  }

  /** Says something beside the result: on standard error. */
  note(text: string): void {
    this.context.stderr.write(`${text}\n`);
  }

  /** Prints the API's JSON as it came; a terminal gets what it would act on as JSON escapes. */
  printJson(answer: ApiResponse): void {
    if (answer.text.trim() === '') return;
    answer.read(v.unknown());
    const json = answer.text.trimEnd();
    this.print(this.context.stdout.isTTY ? escapeJson(json) : json);
  }

  /** Prints rows as a table, or notes on standard error that there is none. */
  printTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], none: string): void {
    if (rows.length === 0) this.note(none);
    else this.print(renderTable(columns, rows, this));
  }
}
