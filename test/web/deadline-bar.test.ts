import { describe, expect, it } from 'vitest';
import type { Milestone } from '../../web/api/types.ts';
import { deadlineBar } from '../../web/pure/deadline-bar.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString();
const milestone = (more: Partial<Milestone> = {}): Milestone => ({
  id: 'answered',
  label: 'Answered',
  state: 'current',
  at: null,
  expectedBy: at(10),
  atRiskAt: null,
  ...more,
});
const timeline = { id: 'answered', start: at(0), end: at(10), pauses: [], closed: [] };
const after = (hour: number) => Date.parse(at(hour));

describe('the bar of a deadline', () => {
  it('shows how much time has elapsed and how much is left', () => {
    const bar = deadlineBar(milestone({ atRiskAt: at(8) }), timeline, after(4));
    expect(bar).toMatchObject({
      parts: [{ kind: 'elapsed', from: 0, width: 40 }],
      marks: [
        { kind: 'risk', at: 80 },
        { kind: 'due', at: 100 },
      ],
      says: '6 h left',
    });
    expect(bar.text).toContain('Answered: 6 h left, started ');
  });

  it('rounds the time that is left', () => {
    const { says } = deadlineBar(milestone(), timeline, after(4) + 60_000);
    expect(says).toBe('6 h left');
  });

  it('shows how late a milestone is', () => {
    const late = deadlineBar(milestone({ state: 'late' }), { ...timeline, end: at(20) }, after(20));
    expect(late).toMatchObject({
      parts: [
        { kind: 'elapsed', from: 0, width: 50 },
        { kind: 'overdue', from: 50, width: 50 },
      ],
      says: '10 h late',
    });
  });

  it.each([
    [8, '2 h early', 'elapsed'],
    [12, '2 h late', 'overdue'],
  ])('states how early or late a milestone was reached at %i:00', (hour, says, last) => {
    const reached = milestone({ state: 'reached', at: at(hour) });
    const end = at(Math.max(10, hour));
    const bar = deadlineBar(reached, { ...timeline, end }, after(1_000));
    expect(bar.says).toBe(`reached ${says}`);
    expect(bar.parts.at(-1)!.kind).toBe(last);
  });

  it('shows pauses and closed hours', () => {
    const spans = {
      pauses: [{ from: at(1), until: at(2) }],
      closed: [{ from: at(5), until: at(9) }],
    };
    const bar = deadlineBar(
      milestone({ expectedBy: null, paused: true }),
      { ...timeline, ...spans },
      after(0),
    );
    expect(bar.parts).toEqual([
      { kind: 'closed', from: 50, width: 40 },
      { kind: 'paused', from: 10, width: 10 },
    ]);
    expect(bar.says).toBe('paused');
    expect(bar.text).toContain('1 pause');
  });

  it('names the deadline in its description only while it is known', () => {
    const known = deadlineBar(milestone(), timeline, after(4));
    expect(known.text).toContain(', expected by ');
    expect(known.text).not.toContain('pause');
    const paused = milestone({ expectedBy: null, paused: true });
    const unknown = deadlineBar(paused, timeline, after(4));
    expect(unknown.text).not.toContain('expected by');
    expect(unknown.marks).toEqual([]);
    expect(unknown.parts).toEqual([{ kind: 'elapsed', from: 0, width: 40 }]);
  });

  it('states no delay at the moment of the deadline', () => {
    expect(deadlineBar(milestone(), timeline, after(10)).says).toBe('0 s left');
  });

  it('marks the deadline at the end of the bar if the timeline has no length', () => {
    const bar = deadlineBar(milestone(), { ...timeline, end: at(0) }, after(0));
    expect(bar.marks).toEqual([{ kind: 'due', at: 100 }]);
  });
});
