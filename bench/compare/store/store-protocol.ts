import type { Account } from '../../../models/activation/model.ts';
import type { Work } from '../../support/work.ts';

/** What the process of an application is asked, one request at a time. */
export type Request =
  | { readonly kind: 'apply'; readonly work: Work }
  | { readonly kind: 'read'; readonly transaction: string };

/** Its answer, once all of it is done; the first one says that it has started. */
export type Answer =
  | { readonly done: true; readonly account?: Account | undefined }
  | { readonly done: false; readonly reason: string };
