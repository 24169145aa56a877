import type { Account } from '../../../models/activation/model.ts';
import type { Work } from '../../support/work.ts';

/**
 * A request to the application's process. The client sends the next request only after the answer to the previous one.
 */
export type Request =
  | { readonly kind: 'apply'; readonly work: Work }
  | { readonly kind: 'read'; readonly transaction: string };

/** A message from the application's process, sent when the process is ready and when it has completed a request. */
export type Answer =
  | { readonly done: true; readonly account?: Account | undefined }
  | { readonly done: false; readonly reason: string };
