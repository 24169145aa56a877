import { expect } from 'vitest';

/** An RFC 9457 response with this status and this text in its detail, for `toMatchObject`. */
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
