/** A link to an instance's status page, as stored: without the token that the URL contains. */
export interface CustomerLink {
  /** Identifies the link among its instance's links. The token contains the id. */
  readonly id: string;
  /** When the link was created, RFC 3339 in UTC. */
  readonly createdAt: string;
  /** When the link expires, RFC 3339 in UTC, rounded down to a whole second. */
  readonly expiresAt: string;
}

/**
 * Returns a link's id. Ids sort by creation time.
 *
 * @param createdAt when the link is created, in milliseconds since 1970.
 * @param random 16 hexadecimal digits, unique among links created in the same millisecond.
 */
export const customerLinkId = (createdAt: number, random: string) =>
  `${createdAt.toString(36).padStart(9, '0')}-${random}`;

/** The format of a link's id. */
export const customerLinkIdPattern = /^[0-9a-z]{9}-[0-9a-f]{16}$/;

/** Returns true if a string has the format of a link's id. */
export const isCustomerLinkId = (id: string) => customerLinkIdPattern.test(id);
