import type { RowRevision } from './row-change.ts';

/**
 * Records how a rebuild counted an instance: in which state, and by which writer. An instance has one marker in a
 * generation, which never changes. Either the scan or the first change of the row creates it.
 */
export interface Marker extends RowRevision {
  /** The partition key of the instance. */
  readonly instance: string;
  /** The writer: a page of the scan, or a change on the stream. */
  readonly writer: string;
}

/** The markers of rebuilds. */
export interface Markers {
  /**
   * Creates markers for instances without one.
   *
   * @param markers at most one for each instance.
   * @returns the markers that the instances have afterwards, by instance.
   */
  claim(generation: number, markers: readonly Marker[]): Promise<ReadonlyMap<string, Marker>>;
  /** Reads the markers of instances; those without a marker are omitted. */
  read(generation: number, instances: readonly string[]): Promise<ReadonlyMap<string, Marker>>;
}
