import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';
import type { StackFrame } from './stack-frames.ts';

/** A position in the source code that a position in a bundle maps to. */
export interface SourcePosition {
  /** The file (relative to the project), line, and column, such as `models/parcel/model.ts:12:17`. */
  readonly place: string;
  /** True for the project's own code, false for packages and for Milepost itself. */
  readonly isOwn: boolean;
}

/**
 * The path of this file in Milepost's repository. The source path of this file in a bundle shows where Milepost's
 * sources are.
 */
const ownSourcePath = 'src/core/model/source-maps.ts';

/** The source maps of bundles. A bundle's map is loaded when its first position is mapped. */
export class SourceMaps {
  readonly #read: (path: string) => string;
  readonly #entry: string | undefined;
  readonly #maps = new Map<string, BundleMap | undefined>();

  /**
   * @param read reads a file; throws an error if the file does not exist.
   * @param entry the bundle's entry file, relative to the project. Source paths become relative to the project.
   *   Default: source paths are relative to the bundler's working directory.
   */
  constructor(read: (path: string) => string, entry?: string) {
    this.#read = read;
    this.#entry = entry;
  }

  /** Maps a position in a bundle to the source; undefined if no source map covers it. */
  placeOf({ file, line, column }: StackFrame): SourcePosition | undefined {
    if (!this.#maps.has(file)) this.#maps.set(file, this.#load(file));
    return this.#maps.get(file)?.placeOf(line, column);
  }

  #load(file: string): BundleMap | undefined {
    try {
      return new BundleMap(JSON.parse(this.#read(`${file}.map`)) as SourceMapPayload, this.#entry);
    } catch {
      // Without a readable map, faults are reported without a position.
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
    // Remove the leading `../` or `/` of a path that is relative to the bundle's folder.
    return posix.normalize(source).replace(/^(?:\.\.\/)+|^\/+/, '');
  }

  #isMileposts(source: string): boolean {
    const root = this.#milepost;
    return root !== undefined && ['src/', 'lambdas/'].some((of) => source.startsWith(root + of));
  }
}
