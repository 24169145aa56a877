import { isServiceError } from '../client/transport/service-error.ts';

/** True when it was done, false when its condition did not hold. */
export async function tryConditionalWrite(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (isServiceError(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
}
