import { clients } from '../clients.ts';

/**
 * Returns a function that reads the signing key of customer links on first use, and caches it.
 *
 * @param secret the ARN of the secret that contains the key.
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
