import * as v from 'valibot';
import { escapeControls } from '../../common/escape.ts';
import { jsonIn } from '../../common/json-in.ts';

/** A log line from a function whose log format is JSON. */
const logLine = v.looseObject({
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  level: v.string(),
  message: v.unknown(),
});

/**
 * Makes a line of output readable on a terminal: converts a function's JSON log line to text, with the local time and
 * with the fields as `name=value`. Returns any other line unchanged.
 */
export function readableLine(line: string): string {
  const logged = line.startsWith('{"timestamp":') ? jsonIn(line) : undefined;
  if (!v.is(logLine, logged)) return line;
  const { timestamp, level, message } = logged;
  const time = new Date(timestamp).toTimeString().slice(0, 8);
  return `${time} ${level.padEnd(5)} ${printable(textOf(message))}`;
}

/** Formats a message, followed by the stack of the error that it describes, if any. */
function textOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message);
  const {
    message: title,
    reason,
    stack,
    errorType,
    errorMessage,
    stackTrace,
    ...fields
  } = message as Readonly<Record<string, unknown>>;
  const titles = [title, errorType, errorMessage, reason].filter((part) => part !== undefined);
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  const words = known.map(([name, value]) => `${name}=${valueOf(value)}`);
  // An error's stack starts with its type and message, which can have several lines.
  const frames = Array.isArray(stackTrace) ? stackTrace.filter(isFrame) : stack;
  const heads = [titles.map(String).join(': '), words.join(' ')].filter((part) => part !== '');
  return [heads.join('  '), ...framesOf(frames, fields.place)].join('\n');
}

const isFrame = (line: unknown) => typeof line === 'string' && /^ +at /.test(line);

/** Formats a value as one word, or as JSON. */
const valueOf = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Formats the frames of a stack, unless its only frame is a place that the line already contains. */
function framesOf(stack: unknown, place: unknown): string[] {
  if (!Array.isArray(stack) || (stack.length === 1 && stack[0] === place)) return [];
  return stack.map((frame) => `    at ${String(frame).replace(/^\s*at /, '')}`);
}

/** Escapes control characters except line breaks and tabs because a message can quote an event. */
const printable = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part, n) => (n % 2 === 0 ? escapeControls(part) : part))
    .join('');
