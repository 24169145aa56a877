import type { InstanceKey } from '../../core/event/event.ts';

/** Returns the name of an instance in messages and logs: `model/transaction`. */
export const instanceName = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
