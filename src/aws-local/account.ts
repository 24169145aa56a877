/** The AWS region in the ARNs and responses of all local endpoints. */
export const region = 'us-east-1';
/** The AWS account in the ARNs and responses of all local endpoints. */
export const accountId = '000000000000';
