/** The region that every local endpoint reports. */
export const region = 'us-east-1';
/** The account that every local endpoint reports. */
export const accountId = '000000000000';
