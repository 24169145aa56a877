/** The status of a process until its first milestone is reached. */
export const openStatus = 'Open';

/** The status of a process after its `cancelOn` event. */
export const cancelledStatus = 'Cancelled';
