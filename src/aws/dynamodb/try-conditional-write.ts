import { isServiceError } from '../client/transport/service-error.ts';

/** Sends a conditional write. Returns false if its condition failed. */
export async function tryConditionalWrite(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (isServiceError(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
}
