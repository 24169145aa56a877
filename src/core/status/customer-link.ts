/** A link to an instance's status page, as operators see it. The token in the link is kept nowhere. */
export interface CustomerLink {
  /** Names the link among those of its instance; the token has it, too. */
  readonly id: string;
  /** RFC 3339 in UTC. */
  readonly createdAt: string;
  /** RFC 3339 in UTC, a whole second. */
  readonly expiresAt: string;
}

/**
 * The id of a link. Ids sort by the time at which their links were made.
 *
 * @param createdAt milliseconds since 1970.
 * @param random 16 hexadecimal digits that no other link made in the same millisecond has.
 */
export const customerLinkId = (createdAt: number, random: string) =>
  `${createdAt.toString(36).padStart(9, '0')}-${random}`;

/** The form of a link's id. */
export const customerLinkIdPattern = /^[0-9a-z]{9}-[0-9a-f]{16}$/;

/** False for text that is the id of no link. */
export const isCustomerLinkId = (id: string) => customerLinkIdPattern.test(id);
