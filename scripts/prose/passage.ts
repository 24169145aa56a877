/** A piece of prose in the repository: a comment, a message, a visible text, a test name, or a page. */
export interface Passage {
  /** The file, relative to the root of the repository. */
  readonly file: string;
  /** The number of the first line of the passage, counted from 1. */
  readonly line: number;
  readonly kind: 'page' | 'docstring' | 'comment' | 'message' | 'text' | 'test name';
  /** The text of the passage, as Markdown. */
  readonly text: string;
}
