import type { RowRevision } from './row-change.ts';

/**
 * Records the state in which a rebuild counted an instance, and the writer that counted it. An instance has at most one
 * marker per generation, and a marker never changes. Either the scan or the first change to the row creates the marker.
 */
export interface Marker extends RowRevision {
  /** The partition key of the instance. */
  readonly instance: string;
  /** The writer: a page of the scan, or a change on the stream. */
  readonly writer: string;
}

export interface Markers {
  /**
   * Creates markers for instances without one.
   *
   * @param markers at most one for each instance.
   * @returns the instances' markers after the call, by instance.
   */
  claim(generation: number, markers: readonly Marker[]): Promise<ReadonlyMap<string, Marker>>;
  /** Reads instances' markers. Omits instances without a marker. */
  read(generation: number, instances: readonly string[]): Promise<ReadonlyMap<string, Marker>>;
}
