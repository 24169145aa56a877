import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';
import type { StackFrame } from './stack-frames.ts';

/** How a position in a bundle reads in the source. */
export interface SourcePosition {
  /** `models/parcel/model.ts:12:17`, relative to the project. */
  readonly place: string;
  /** Whether it is the project's own code: neither a package's nor Milepost's. */
  readonly isOwn: boolean;
}

/** Where Milepost's sources are found by, in a bundle that was made in Milepost's own repository. */
const ownSourcePath = 'src/core/model/source-maps.ts';

/**
 * The source maps of bundles. They are read with the first fault in a bundle, so that they cost nothing
 * until then.
 */
export class SourceMaps {
  readonly #read: (path: string) => string;
  readonly #entry: string | undefined;
  readonly #maps = new Map<string, BundleMap | undefined>();

  /**
   * @param read reads a file; it throws where there is none.
   * @param entry the file that was bundled, relative to the project: sources are shown relative to the
   *   same folder. Default: to the working folder of the bundler.
   */
  constructor(read: (path: string) => string, entry?: string) {
    this.#read = read;
    this.#entry = entry;
  }

  /** The position in the source, or undefined where no source map has it. */
  placeOf({ file, line, column }: StackFrame): SourcePosition | undefined {
    if (!this.#maps.has(file)) this.#maps.set(file, this.#load(file));
    return this.#maps.get(file)?.placeOf(line, column);
  }

  #load(file: string): BundleMap | undefined {
    try {
      return new BundleMap(JSON.parse(this.#read(`${file}.map`)) as SourceMapPayload, this.#entry);
    } catch {
      // There is none, or it cannot be read: then faults are told without a place.
      return undefined;
    }
  }
}

class BundleMap {
  readonly #map: SourceMap;
  readonly #prefix: string;
  readonly #milepost: string | undefined;

  constructor(payload: SourceMapPayload, entry: string | undefined) {
    this.#map = new SourceMap(payload);
    const root = entry && payload.sources.find((source) => `/${source}`.endsWith(`/${entry}`));
    this.#prefix = root ? root.slice(0, -entry.length) : '';
    this.#milepost = payload.sources
      .find((source) => source.endsWith(ownSourcePath))
      ?.slice(0, -ownSourcePath.length);
  }

  placeOf(line: number, column: number): SourcePosition | undefined {
    const found = this.#map.findEntry(line - 1, column - 1);
    if (!('originalSource' in found)) return undefined;
    const { originalSource: source, originalLine, originalColumn } = found;
    const inPackage = source.lastIndexOf('node_modules/');
    const file = inPackage === -1 ? this.#inProject(source) : source.slice(inPackage);
    return {
      place: `${file}:${originalLine + 1}:${originalColumn + 1}`,
      isOwn: inPackage === -1 && !this.#isMileposts(source),
    };
  }

  #inProject(source: string): string {
    if (this.#prefix !== '' && source.startsWith(this.#prefix))
      return source.slice(this.#prefix.length);
    // From the folder of the bundle up to the one that it shares with the source.
    return posix.normalize(source).replace(/^(?:\.\.\/)+|^\/+/, '');
  }

  #isMileposts(source: string): boolean {
    const root = this.#milepost;
    return root !== undefined && ['src/', 'lambdas/'].some((of) => source.startsWith(root + of));
  }
}
