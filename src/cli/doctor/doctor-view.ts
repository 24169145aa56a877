import stringWidth from 'string-width';
import { count } from '../output/format.ts';
import type { Style } from '../output/style.ts';
import type { TableLayout } from '../output/table.ts';
import type { Examination } from './examine.ts';
import type { Finding } from './finding.ts';

const marks: Readonly<Record<Finding['state'], { mark: string; style: Style }>> = {
  ok: { mark: '✔', style: 'green' },
  warning: { mark: '!', style: 'yellow' },
  failed: { mark: '✖', style: 'red' },
  unknown: { mark: '?', style: 'yellow' },
};

/** The number of blank columns between the longest check id and the details. */
const gap = 2;
/** The minimum width of the details, in columns. If fewer columns remain, the details are not wrapped. */
const narrowest = 30;

/** Renders each check with its remedy below, and a summary. Remedies are never wrapped, so users can copy them. */
export function renderExamination(
  { version, checks }: Examination,
  api: string,
  page: TableLayout,
): string {
  const label = 2 + Math.max(...checks.map(({ id }) => id.length)) + gap;
  const lines = checks.flatMap(({ id, state, detail, remedy }) => {
    const { mark, style } = marks[state];
    const [first = '', ...more] = wrap(detail, (page.width ?? Infinity) - label);
    return [
      `${page.paint(style, mark)} ${id.padEnd(label - 2)}${first}`,
      ...more.map((line) => ' '.repeat(label) + line),
      ...remedy.map((command) => `    ${page.paint('cyan', command)}`),
    ];
  });
  const title = page.paint('bold', version === null ? api : `Milepost ${version} at ${api}`);
  return [title, '', ...lines, '', ...summary(checks, page)].join('\n');
}

function summary(checks: readonly Finding[], { paint }: TableLayout): string[] {
  const of = (state: Finding['state']) => checks.filter((check) => check.state === state);
  const failed = of('failed').map(({ id }) => id);
  const verdict =
    failed.length > 0
      ? paint('red', `Failed: ${failed.join(', ')}.`)
      : paint('green', 'Nothing failed.');
  const tally = [
    ...(of('warning').length > 0 ? [count(of('warning').length, 'warning')] : []),
    ...(of('unknown').length > 0 ? [`${of('unknown').length} unknown`] : []),
    ...(of('ok').length > 0 ? [`${of('ok').length} ok`] : []),
  ].join(', ');
  const isIncomplete = tally !== '' && !checks.some(({ id }) => id === 'alarms');
  return [
    tally === '' ? verdict : `${verdict} ${tally}.`,
    ...(isIncomplete ? ['Alarms and metrics are checked only in AWS.'] : []),
  ];
}

/** Breaks text between words into lines of a width, in terminal columns. */
function wrap(text: string, width: number): string[] {
  if (width < narrowest) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
