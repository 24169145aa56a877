import type { Account } from '../../../models/activation/model.ts';
import type { Work } from '../../support/work.ts';

/** A request to the application's process. The next request is sent after the response. */
export type Request =
  | { readonly kind: 'apply'; readonly work: Work }
  | { readonly kind: 'read'; readonly transaction: string };

/**
 * A response of the application's process. The process sends one when it is ready, and one when each request is
 * complete.
 */
export type Answer =
  | { readonly done: true; readonly account?: Account | undefined }
  | { readonly done: false; readonly reason: string };
