import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * Checks the origins of web pages. A browser sends its origin in exactly one form, so an origin in a different form
 * would never match.
 *
 * @throws MilepostError `bad-request` for a value that is not an origin.
 */
export function checkOrigins(subject: string, origins: readonly string[]): void {
  const wrong = Array.isArray(origins)
    ? origins.find((each: string) => !Token.isUnresolved(each) && originOf(each) !== each)
    : origins;
  if (wrong !== undefined)
    throw new MilepostError(
      'bad-request',
      `${subject} must be a list of origins such as https://status.example.org, without a path; got "${String(wrong)}"`,
    );
}

/**
 * Checks a URL that AWS or browsers call.
 *
 * @throws MilepostError `bad-request` if the value is not an HTTPS URL.
 */
export function requireHttps(subject: string, url: string): void {
  if (Token.isUnresolved(url) || originOf(url)?.startsWith('https://')) return;
  throw new MilepostError(
    'bad-request',
    `${subject} must be a URL that starts with https://; got "${url}"`,
  );
}

/** Returns the origin of a URL, or undefined if the text is not a URL with an origin. */
function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return origin === 'null' ? undefined : origin;
}
