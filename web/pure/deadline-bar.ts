import type { DeadlineTimeline, Milestone } from '../api/types.ts';
import { countOf } from './locale.ts';
import { exact, length, remaining } from './times.ts';

/** A part of a bar, with percentages of the bar's length. */
export interface BarPart {
  readonly kind: 'elapsed' | 'overdue' | 'paused' | 'closed';
  readonly from: number;
  readonly width: number;
}

/** A deadline as a bar: its parts, its marks, and its description. */
export interface DeadlineBar {
  readonly parts: readonly BarPart[];
  /** The times of the warning and of the deadline, as percentages of the bar's length. */
  readonly marks: readonly { readonly kind: 'risk' | 'due'; readonly at: number }[];
  /** The text next to the bar, such as `6 h left`, `10 h late`, `reached 2 h early`, or `paused`. */
  readonly says: string;
  /** The description of the bar for screen readers. */
  readonly text: string;
}

/** Lays out the bar of a milestone's deadline at the time `now`, in milliseconds since 1970. */
export function deadlineBar(
  { label, state, at, expectedBy, atRiskAt, paused }: Milestone,
  { start, end, pauses, closed }: DeadlineTimeline,
  now: number,
): DeadlineBar {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const place = (time: number) => {
    const share = to > from ? (time - from) / (to - from) : 1;
    return Math.round(1_000 * Math.min(1, Math.max(0, share))) / 10;
  };
  const part = (kind: BarPart['kind'], begin: number, finish: number): BarPart[] => {
    const [left, right] = [place(begin), place(finish)];
    return right > left ? [{ kind, from: left, width: right - left }] : [];
  };
  const spans = (kind: BarPart['kind'], all: DeadlineTimeline['pauses']) =>
    all.flatMap((span) => part(kind, Date.parse(span.from), Date.parse(span.until)));
  const due = expectedBy === null ? Number.POSITIVE_INFINITY : Date.parse(expectedBy);
  const current = at === null ? Math.min(now, to) : Date.parse(at);
  const says = wordsOf(due - (at === null ? now : current), { state, paused: paused === true });
  return {
    parts: [
      ...part('elapsed', from, Math.min(current, due)),
      ...part('overdue', due, current),
      ...spans('closed', closed),
      ...spans('paused', pauses),
    ],
    marks: [
      ...(atRiskAt === null ? [] : [{ kind: 'risk' as const, at: place(Date.parse(atRiskAt)) }]),
      ...(expectedBy === null ? [] : [{ kind: 'due' as const, at: place(due) }]),
    ],
    says,
    text: [
      `${label}: ${says}`,
      `started ${exact(start)}`,
      ...(expectedBy === null ? [] : [`expected by ${exact(expectedBy)}`]),
      ...(pauses.length > 0 ? [countOf(pauses.length, 'pause')] : []),
    ].join(', '),
  };
}

/** @param left the time until the deadline, in milliseconds; negative after it. */
function wordsOf(
  left: number,
  { state, paused }: { readonly state: Milestone['state']; readonly paused: boolean },
): string {
  if (paused) return 'paused';
  const time = length(Math.abs(left) / 1_000);
  if (state === 'reached') return left < 0 ? `reached ${time} late` : `reached ${time} early`;
  return left < 0 ? `${time} late` : `${remaining(left)} left`;
}
