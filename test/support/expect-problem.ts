import { expect } from 'vitest';
import type { Answer, ProblemBody } from './memory-api.ts';

/** Expects an RFC 9457 answer with this status, and with this in its detail. */
export function expectProblem(answer: Answer<unknown>, status: number, detail = ''): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const body = answer.body as ProblemBody;
  expect(body.status).toBe(status);
  expect(body.title).toMatch(/^[A-Z][a-z ]+$/);
  expect(body.detail).toContain(detail);
  expect(body.detail).not.toBe('');
}
