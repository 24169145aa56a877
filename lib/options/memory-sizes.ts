/** The smallest and the largest memory size that Lambda supports, in MB. */
export const memorySizes = [128, 10_240] as const;
