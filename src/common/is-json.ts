import { jsonIn } from './json-in.ts';

/** Returns true if a text is JSON. */
export const isJson = (text: string): boolean => jsonIn(text) !== undefined;
