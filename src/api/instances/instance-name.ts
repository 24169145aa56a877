import type { InstanceKey } from '../../core/event/event.ts';

/** Returns an instance's name in messages and logs: `model/transaction`. */
export const instanceName = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
