import type { Account } from '../../../models/activation/model.ts';
import type { Work } from '../../support/work.ts';

/** A request to the application's process, one at a time. */
export type Request =
  | { readonly kind: 'apply'; readonly work: Work }
  | { readonly kind: 'read'; readonly transaction: string };

/** The response, sent when the request is complete. The first response reports that the process has started. */
export type Answer =
  | { readonly done: true; readonly account?: Account | undefined }
  | { readonly done: false; readonly reason: string };
