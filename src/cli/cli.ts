import process from 'node:process';
import type { Command } from 'commander';
import type * as v from 'valibot';
import { escapeJson } from '../common/escape.ts';
import {
  type ApiClient,
  type ApiClientOptions,
  type ApiResponse,
  createApiClient,
} from './client/api-client.ts';
import type { CliContext, SignalSource } from './context.ts';
import { type Paint, painterFor } from './output/style.ts';
import { type Cell, type Column, renderTable } from './output/table.ts';

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const bearerToken = /^[\w.~+/-]+=*$/;

/** The options that every command accepts. */
export interface GlobalOptions {
  readonly api: string;
  readonly json?: true;
}

/** One run of the CLI: the output, the API client, and the exit status that a command's action uses. */
export class Cli {
  readonly context: CliContext;
  readonly paint: Paint;
  /** The exit status of the run, unless the run throws an exception. */
  status = 0;

  constructor(context: CliContext) {
    this.context = context;
    this.paint = painterFor(context.stdout, context.env);
  }

  /**
   * Creates a client for the service at `--api` or `MILEPOST_API`. Exits with a usage error if the value is not an HTTP
   * URL, if it contains a query, fragment, user name, or password, or if `MILEPOST_TOKEN` is not in the format of a
   * token.
   */
  api(command: Command, options?: ApiClientOptions): ApiClient {
    const { api } = command.optsWithGlobals<GlobalOptions>();
    const isOption = command.getOptionValueSourceWithGlobals('api') === 'cli';
    const name = isOption ? '--api' : 'MILEPOST_API';
    const url = URL.parse(api);
    if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash)
      command.error(`error: ${name} must be a URL such as http://127.0.0.1:4500; got '${api}'`);
    if (url.username || url.password)
      command.error(`error: ${name} must not contain a user name or password`);
    const { MILEPOST_TOKEN: token } = this.context.env;
    // Do not print the value, because it is a secret.
    if (token && !bearerToken.test(token))
      command.error(
        'error: MILEPOST_TOKEN must be a token of letters, digits, and -._~+/=, without spaces or ' +
          'line breaks',
      );
    const base = url.origin + url.pathname.replace(/\/+$/, '');
    return createApiClient(base, this.context, options);
  }

  /** The width of the terminal in columns; undefined if it is unknown, or if standard output is not a terminal. */
  get width(): number | undefined {
    const { isTTY, columns } = this.context.stdout;
    // Node.js reports a width of 0 if the terminal does not report its size.
    return (isTTY && columns) || undefined;
  }

  get signals(): SignalSource {
    return this.context.signals ?? process;
  }

  print(text: string): void {
    this.context.stdout.write(`${text}\n`);
  }

  /** Prints a message on standard error. */
  note(text: string): void {
    this.context.stderr.write(`${text}\n`);
  }

  /**
   * Prints the API's JSON unchanged, except that control characters are escaped on a terminal.
   *
   * @throws ApiError `unexpected` if the response does not match the schema.
   */
  printJson(answer: ApiResponse, schema: v.GenericSchema): void {
    answer.read(schema);
    this.#printJsonText(answer.text.trimEnd());
  }

  /** Prints data that the command itself creates, as one line of JSON. */
  printData(data: object): void {
    this.#printJsonText(JSON.stringify(data));
  }

  #printJsonText(json: string): void {
    this.print(this.context.stdout.isTTY ? escapeJson(json) : json);
  }

  /** Prints rows as a table. If there are no rows, prints the message in `none` on standard error instead. */
  printTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], none: string): void {
    if (rows.length === 0) this.note(none);
    else this.print(renderTable(columns, rows, this));
  }
}
