/** Returns an event with which a service request reaches a milestone. The time is in milliseconds since 1970. */
export const reached = (transactionid: string, milestone: string, time: number) => ({
  id: milestone,
  source: 'desk',
  type: 'milestone.reached',
  modelid: 'service-request',
  transactionid,
  time: new Date(time).toISOString(),
  data: { milestone },
});
