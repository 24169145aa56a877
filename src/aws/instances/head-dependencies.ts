import type { InstanceKey } from '../../core/event/event.ts';
import type { Item } from '../client/dynamodb.ts';
import type { SeenDependencies } from './with-whole-seen.ts';

/** Dependencies for reading heads. */
export interface HeadDependencies extends SeenDependencies {
  /** Queries the latest commit of one instance. */
  readonly last: (key: InstanceKey) => Promise<Item | undefined>;
}
