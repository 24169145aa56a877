import { isPackage } from '../../package-folder.ts';
import type { PageFiles } from './page-files.ts';

/** The files of the pages: bundled from their sources, or those that were built for the package. */
export async function localPages(): Promise<PageFiles> {
  if (isPackage) {
    const { readPages } = await import('./read-pages.ts');
    return readPages();
  }
  const { bundlePages } = await import('./bundle-pages.ts');
  return bundlePages();
}
