import { isPackage } from '../../package-folder.ts';
import type { PageFiles } from './page-files.ts';

/** Returns the files of the pages: bundled from the sources in the repository, prebuilt in the package. */
export async function localPages(): Promise<PageFiles> {
  if (isPackage) {
    const { readPages } = await import('./read-pages.ts');
    return readPages();
  }
  const { bundlePages } = await import('./bundle-pages.ts');
  return bundlePages();
}
