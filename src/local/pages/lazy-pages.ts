import { messageOf } from '../../common/message-of.ts';
import type { PageFiles } from './page-files.ts';

/** Loads the files of the pages on the first call. Later calls return the same files, or try again after a failure. */
export type LazyPages = () => Promise<PageFiles | undefined>;

/**
 * Delays loading the pages until a page is opened. If the files cannot be loaded, the result is undefined, and `log`
 * receives the reason.
 */
export function lazyPages(load: () => Promise<PageFiles>, log: (line: string) => void): LazyPages {
  let loading: Promise<PageFiles | undefined> | undefined;
  const loadOrLog = async () => {
    try {
      return await load();
    } catch (error) {
      log(`The web pages are not available: ${messageOf(error)}`);
      loading = undefined;
      return undefined;
    }
  };
  return () => (loading ??= loadOrLog());
}
