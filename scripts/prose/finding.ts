import type { Passage } from './passage.ts';

/** A sentence that violates a rule of the prose check. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly excerpt: string;
  readonly message: string;
}

export const findingAt = (
  { file, line, text }: Passage,
  offset: number,
  excerpt: string,
  message: string,
): Finding => ({
  file,
  line: line + text.slice(0, offset).split('\n').length - 1,
  excerpt: excerpt.replace(/\s+/g, ' ').slice(0, 80),
  message,
});
