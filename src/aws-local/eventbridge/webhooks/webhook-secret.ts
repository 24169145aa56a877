import { randomBytes } from 'node:crypto';
import type { SecretFormat } from '../../secret-file.ts';

/**
 * Returns true if a string is a valid webhook secret.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function isWebhookSecret(text: string): boolean {
  const [, base64] = /^whsec_(.+)$/.exec(text) ?? [];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/** The format of secrets that sign webhooks. */
export const webhookSecretFormat: SecretFormat = {
  generate: () => `whsec_${randomBytes(32).toString('base64')}`,
  isValid: isWebhookSecret,
};
