import { statusIndexes } from '../../src/aws/instances/status-indexes.ts';

export const instanceIndexes = Object.values(statusIndexes);

/** The name of an index of the instances table. */
export type InstanceIndex = (typeof instanceIndexes)[number]['name'];
