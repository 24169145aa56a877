import type { TrackedEvent } from './event.ts';

/**
 * The type of the event that has an instance rebuilt from its history. Like everything that changes an
 * instance it comes by the stream, and stands in the history: the state after it is that of all
 * events before it, folded from the first on by the model as it was then.
 */
const rebuildType = 'milepost.rebuild';

/** Whether an event has its instance rebuilt, and is not one for the model. */
export const isRebuild = ({ type }: Pick<TrackedEvent, 'type'>) => type === rebuildType;
