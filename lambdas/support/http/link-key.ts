import { clients } from '../clients.ts';

/**
 * Reads the key that customers' links are signed with when it is first asked for, and keeps it.
 *
 * @param secret the ARN of the secret that holds it.
 */
export function linkKeyReader(secret: string): () => Promise<string> {
  let key: Promise<string> | undefined;
  return () => {
    key ??= clients
      .secretsManager()
      .current(secret)
      .then(({ value }) => value)
      .catch((error: unknown) => {
        key = undefined;
        throw error;
      });
    return key;
  };
}
