import type { RowRevision } from './row-change.ts';

/**
 * A record of how a rebuild counted an instance: in which state, and by which writer. An instance has at most one
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
   * @returns the markers of the instances after the call, by instance.
   */
  claim(generation: number, markers: readonly Marker[]): Promise<ReadonlyMap<string, Marker>>;
  /** Reads the markers of instances. Omits instances without a marker. */
  read(generation: number, instances: readonly string[]): Promise<ReadonlyMap<string, Marker>>;
}
