import type { InstanceKey } from '../../core/event/event.ts';

/** How people and logs name an instance. */
export const instanceName = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
