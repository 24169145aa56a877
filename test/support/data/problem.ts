import { expect } from 'vitest';

/** An expected problem response (RFC 9457) with the given status and detail, for `toMatchObject`. */
export const problem = (status: number, detail?: string) => ({
  status,
  contentType: 'application/problem+json',
  body: {
    title: expect.stringMatching(/^[A-Z][a-z ]+$/) as string,
    status,
    detail: (detail === undefined
      ? expect.stringMatching(/\w/)
      : expect.stringContaining(detail)) as string,
  },
});
