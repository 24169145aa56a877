import { escapeControls } from '../../common/escape.ts';
import type { CountedExamples } from '../../core/replay/example-counter.ts';
import type { ReplayReport } from '../../core/replay/replay-report.ts';
import type {
  DeviationKind,
  EventReference,
  FieldChange,
} from '../../core/replay/replay-result.ts';
import { count } from '../output/format.ts';
import { type Cell, type Column, renderTable, type TableLayout } from '../output/table.ts';

/** The description of each kind of deviation in a report. */
const turns: Readonly<Record<DeviationKind, string>> = {
  rejected: 'rejected, was applied',
  applied: 'applied, was rejected',
  reason: 'rejected for another reason',
  over: 'not fired, was applied',
};

/** Renders a report with a section for each kind of difference. */
export function reportText(report: ReplayReport, page: TableLayout): string {
  const { instances, events, different, forgotten } = report;
  const folded = `${count(instances, 'instance')} with ${count(events, 'event')} folded by version ${report.version} of ${report.model}`;
  const sections = [
    different === 0 ? `${folded}: no differences.` : `${folded}: ${different} would differ.`,
    table(page, 'Statuses', ['from', 'to', 'instances'], report.statuses, (each) => [
      each.before,
      each.after,
      String(each.count),
    ]),
    table(page, 'Events', ['would be', 'type', 'events', 'reason'], report.outcomes, (each) => [
      turns[each.turn],
      each.type ?? 'others',
      String(each.count),
      each.reason ?? '',
    ]),
    table(page, 'The model fails on', ['type', 'instances', 'error'], report.faults, (each) => [
      each.type ?? 'others',
      String(each.count),
      each.reason ?? '',
    ]),
    table(page, 'Done', ['from', 'to', 'instances'], report.done, (each) => [
      each.before ? 'done' : 'open',
      each.after ? 'done' : 'open',
      String(each.count),
    ]),
    examples(page, 'Progress', report.progress, ({ before, after }) => [
      `${before ?? 'none'} -> ${after ?? 'none'}`,
    ]),
    examples(page, 'Timers', report.timers, ({ before, after }) => [
      `${timers(before)} -> ${timers(after)}`,
    ]),
    examples(page, 'Times', report.times, ({ before, after }) => [
      `started ${before.startedAt ?? 'never'} -> ${after.startedAt ?? 'never'}`,
      `status since ${before.statusSince} -> ${after.statusSince}`,
    ]),
    examples(page, 'States', report.states, ({ since, changes, more }) => [
      `from ${placeText(since)} on`,
      ...changes.map(changeText),
      ...(more ? ['and more'] : []),
    ]),
    ...(forgotten > 0
      ? [
          `Not counted: ${count(forgotten, 'instance')} whose destroyed personal data may explain the differences.`,
        ]
      : []),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

interface Example {
  readonly transaction: string;
  readonly event?: EventReference;
}

/**
 * Renders each kind of difference as a row with examples in the last column. Returns an empty string if there are no
 * differences.
 */
export function table<Kind extends CountedExamples<Example>>(
  page: TableLayout,
  title: string,
  headers: readonly string[],
  kinds: readonly Kind[],
  cells: (kind: Kind) => readonly string[],
): string {
  if (kinds.length === 0) return '';
  const columns = [...headers, 'for example'].map(
    (header): Column => ({
      header,
      ...(['instances', 'events'].includes(header) ? { align: 'right' } : { min: 8 }),
    }),
  );
  const rows = kinds.map((kind) =>
    [...cells(kind), kind.examples.map(exampleName).join(', ')].map(
      (text): Cell => escapeControls(text),
    ),
  );
  return `${page.paint('bold', title)}\n${renderTable(columns, rows, page)}`;
}

/** Renders one kind of difference with its examples. */
function examples<Each extends Example>(
  page: TableLayout,
  title: string,
  { count: instances, examples: some }: CountedExamples<Each>,
  lines: (example: Each) => readonly string[],
): string {
  if (instances === 0) return '';
  const texts = some.flatMap((example) => {
    const [first = '', ...rest] = lines(example).map(escapeControls);
    return [
      `  ${escapeControls(example.transaction)}: ${first}`,
      ...rest.map((line) => `    ${line}`),
    ];
  });
  return [page.paint('bold', `${title} of ${count(instances, 'instance')}`), ...texts].join('\n');
}

const exampleName = ({ transaction, event }: Example) =>
  event ? `${transaction} (${event.id})` : transaction;

const placeText = ({ type, id, version }: EventReference) => `${type} ${id} (version ${version})`;

function changeText({ path, before, after }: FieldChange): string {
  const place = path === '' ? 'the state' : path;
  const [old, now] = [before, after].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  );
  if (old === undefined && now === undefined) return place;
  return `${place}: ${old ?? 'nothing'} -> ${now ?? 'nothing'}`;
}

const timers = (running: readonly { name: string; dueAt: string }[]) =>
  running.map(({ name, dueAt }) => `${name} at ${dueAt}`).join(', ') || 'none';
