/** An event that makes a service request reach a milestone, at a time in milliseconds since 1970. */
export const reached = (transactionid: string, milestone: string, time: number) => ({
  id: milestone,
  source: 'desk',
  type: 'milestone.reached',
  modelid: 'service-request',
  transactionid,
  time: new Date(time).toISOString(),
  data: { milestone },
});
