import { messageOf } from '../../common/message-of.ts';
import { isPackage } from '../../package-folder.ts';
import type { PageFiles } from './page-files.ts';

/**
 * Returns a function that loads the files of the pages when it is first called, so that a service whose pages nobody
 * opens does not bundle them. The files are undefined if they cannot be loaded; `log` receives the reason.
 */
export function lazyPages(log: (line: string) => void): () => Promise<PageFiles | undefined> {
  let loading: Promise<PageFiles | undefined> | undefined;
  const load = () =>
    localPages().catch((error: unknown): undefined => {
      log(`The web pages are not available: ${messageOf(error)}`);
    });
  return () => (loading ??= load());
}

/** Returns the files of the pages: bundled from the sources, or prebuilt in the package. */
async function localPages(): Promise<PageFiles> {
  if (isPackage) {
    const { readPages } = await import('./read-pages.ts');
    return readPages();
  }
  const { bundlePages } = await import('./bundle-pages.ts');
  return bundlePages();
}
