/** The shortest and the longest retention that Kinesis supports, in hours: 1 and 365 days. */
export const streamRetentionHours = [24, 8_760] as const;
