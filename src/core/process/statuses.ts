/** The status of a process until its first milestone is reached. */
export const openStatus = 'Open';

/** The status of a process that was canceled. */
export const cancelledStatus = 'Cancelled';
