import type { GlobalOptions } from '../../cli.ts';

/** The options of `milepost put`. */
export interface PutOptions extends GlobalOptions {
  readonly wait?: true;
  /** How long to wait for outcomes, in milliseconds. */
  readonly timeout: number;
  readonly id?: string;
  readonly source?: string;
  readonly time?: string;
  readonly replyto?: string;
  /** The data as JSON text, which is sent unchanged. */
  readonly data?: string;
  readonly file?: string;
}
