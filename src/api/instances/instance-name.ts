import type { InstanceKey } from '../../core/event/event.ts';

/** Returns the name of an instance for messages and logs. */
export const instanceName = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
