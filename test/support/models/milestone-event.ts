/** An event that reaches a milestone of a service request, at a time in milliseconds since 1970. */
export const reached = (transactionid: string, milestone: string, time: number) => ({
  id: milestone,
  source: 'desk',
  type: 'milestone.reached',
  modelid: 'service-request',
  transactionid,
  time: new Date(time).toISOString(),
  data: { milestone },
});
