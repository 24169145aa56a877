/** A link to an instance's status page, as operators see it. The token in the link is not stored. */
export interface CustomerLink {
  /** Identifies the link among those of its instance; also part of the token. */
  readonly id: string;
  /** RFC 3339 in UTC. */
  readonly createdAt: string;
  /** RFC 3339 in UTC, a whole second. */
  readonly expiresAt: string;
}

/**
 * The id of a link. Ids sort by creation time.
 *
 * @param createdAt milliseconds since 1970.
 * @param random 16 hexadecimal digits, unique among links created in the same millisecond.
 */
export const customerLinkId = (createdAt: number, random: string) =>
  `${createdAt.toString(36).padStart(9, '0')}-${random}`;

/** The format of a link's id. */
export const customerLinkIdPattern = /^[0-9a-z]{9}-[0-9a-f]{16}$/;

/** False if a text does not have the format of a link's id. */
export const isCustomerLinkId = (id: string) => customerLinkIdPattern.test(id);
