import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** True when it was done, false when its condition did not hold. */
export async function unlessConditionFails(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
