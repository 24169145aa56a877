import type { InstanceKey } from '../../core/event/event.ts';

/** The name of an instance in messages and logs. */
export const instanceName = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
