/**
 * Returns true for text of at least four words, except code in another language, such as CSS, SQL, a pattern, or a
 * command.
 */
export const isProse = (message: string) =>
  /^\S+( \S+){3,}/.test(message.trim()) &&
  !/[{}]|;.*;|^import |--\w| = | && |https?:/s.test(message);
