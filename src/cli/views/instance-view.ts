import { shellArguments } from '../../common/shell-word.ts';
import type { InstanceResponse, PastInstanceResponse } from '../client/responses.ts';
import {
  bar,
  count,
  durationText,
  percent,
  relativeTime,
  timeWithDistance,
} from '../output/format.ts';
import type { Style } from '../output/style.ts';
import { renderTable, type TableLayout } from '../output/table.ts';

type Milestone = InstanceResponse['milestones'][number];
type Eta = InstanceResponse['eta'][number];

const labelWidth = 10;
const barWidth = 20;
const widestBar = 40;

const timerColumns = [{ header: '', min: 8 }, { header: '' }];

const marks: Readonly<Record<Milestone['state'], { mark: string; style: Style }>> = {
  reached: { mark: '✔', style: 'green' },
  current: { mark: '●', style: 'cyan' },
  pending: { mark: '○', style: 'dim' },
  'at-risk': { mark: '●', style: 'yellow' },
  late: { mark: '!', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
};

type Fact = readonly [name: string, value: string];

/** Renders the status, progress, milestones, timers, and parked events of an instance. */
export function renderInstance(instance: InstanceResponse, page: TableLayout): string {
  return render(instance, page, [
    ...status(instance, page),
    ['Reference', instance.reference ?? ''],
    ['Since', timeWithDistance(instance.statusSince)],
    progress(instance, barWidth),
    ['Done', instance.done ? 'yes' : 'no'],
    ['Started', started(instance)],
    ['Updated', timeWithDistance(instance.updatedAt)],
    ['Version', `${instance.version} (model version ${instance.modelVersion})`],
  ]);
}

const started = ({ startedAt }: InstanceResponse) =>
  startedAt === null ? 'not yet: no event applied' : timeWithDistance(startedAt);

/** Renders an instance at a moment in the past. */
export function renderPastInstance(
  { asOf, ...instance }: PastInstanceResponse,
  page: TableLayout,
): string {
  const moment =
    'at' in asOf
      ? timeWithDistance(asOf.at)
      : `event time ${timeWithDistance(asOf.eventTime)}, with the events that happened by then`;
  return `${page.paint('cyan', `Past state as of ${moment}`)}
${renderInstance(instance, page)}`;
}

/** Renders the parts of an instance that change while it is watched, with a wide progress bar. */
export function renderWatched(instance: InstanceResponse, page: TableLayout): string {
  const room = (page.width ?? Infinity) - labelWidth - ' 100%'.length;
  return render(instance, page, [
    ...status(instance, page),
    progress(instance, Math.max(Math.min(room, widestBar), 1)),
    ['Updated', timeWithDistance(instance.updatedAt)],
  ]);
}

function render(instance: InstanceResponse, page: TableLayout, facts: readonly Fact[]): string {
  const { model, transaction, milestones, eta, timers } = instance;
  const parts = [
    page.paint('bold', `${model}/${transaction}`),
    ...facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => name.padEnd(labelWidth) + value),
  ];
  if (milestones.length > 0)
    parts.push(section('Milestones', renderMilestones(milestones, eta, page), page));
  if (timers.length > 0) {
    const rows = timers.map(({ name, dueAt }) => [name, `due ${when(dueAt, page)}`]);
    parts.push(section('Timers', renderTable(timerColumns, rows, page), page));
  }
  return parts.join('\n');
}

function status(instance: InstanceResponse, page: TableLayout): Fact[] {
  return [
    ['Status', page.paint('bold', instance.status)],
    ['Parked', instance.parked === 0 ? '' : parkedText(instance, page)],
    ['Reason', reasonText(instance)],
  ];
}

function progress({ progress }: InstanceResponse, width: number): Fact {
  return ['Progress', progress === null ? '' : `${bar(progress, width)} ${percent(progress)}`];
}

const reasonText = ({ oldestParked: oldest }: InstanceResponse) =>
  oldest ? `${oldest.eventId}: ${oldest.reason}` : '';

function parkedText({ model, transaction, parked }: InstanceResponse, page: TableLayout): string {
  const retry = `milepost redrive ${shellArguments(model, transaction)}`;
  return `${page.paint('red', count(parked, 'event'))}; to retry: ${retry}`;
}

function renderMilestones(
  milestones: readonly Milestone[],
  eta: readonly Eta[],
  page: TableLayout,
): string {
  const columns = [{ header: '' }, { header: '', min: 8 }, { header: '', min: 5 }];
  const rows = milestones.map((milestone) => {
    const { mark, style } = marks[milestone.state];
    const text = [stateText(milestone, page), ...likely(eta.find(({ id }) => id === milestone.id))];
    return [{ text: mark, style }, milestone.label, text.join(', ')];
  });
  return renderTable(columns, rows, page);
}

function stateText(milestone: Milestone, page: TableLayout): string {
  const { state, at, expectedBy, paused, lateBy } = milestone;
  if (at) return `${state} ${when(at, page)}${lateBy ? `, ${durationText(lateBy)} late` : ''}`;
  if (paused) return `${state}, paused`;
  return expectedBy ? `${state}, expected ${relativeTime(expectedBy)}` : state;
}

/** Formats the estimated times by which the instance reaches a pending milestone with a probability of 50% and 90%. */
function likely(eta: Eta | undefined): string[] {
  return eta ? [`likely ${relativeTime(eta.p50)} (90%: ${relativeTime(eta.p90)})`] : [];
}

/** Formats a time. On a narrow terminal, shows only the relative time. */
function when(time: string, { width = 80 }: TableLayout): string {
  return width < 60 ? relativeTime(time) : timeWithDistance(time);
}

/** Renders a titled section. */
export function section(title: string, text: string, page: TableLayout): string {
  return `\n${page.paint('bold', title)}\n${text}`;
}
