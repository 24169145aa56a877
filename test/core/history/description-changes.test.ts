import { describe, expect, it } from 'vitest';
import { compareDescriptions } from '../../../src/core/history/description-changes.ts';
import type { MilestoneProgress } from '../../../src/core/model/description.ts';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-01T00:00:00.001Z';

const withMilestone = (progress: object) => ({
  status: 'New',
  milestones: [{ id: 'a', ...progress }],
});

describe('compareDescriptions', () => {
  it('reports everything in a first description as new', () => {
    const milestones = [{ id: 'a', at }, { id: 'b' }, { id: 'c', late: true }];
    expect(compareDescriptions(undefined, { status: 'New', milestones, done: true })).toEqual({
      reached: ['a'],
      late: ['c'],
      done: true,
    });
    expect(compareDescriptions(undefined, { status: 'New' })).toEqual({});
  });

  it('reports the previous status, whether or not the status changed', () => {
    expect(compareDescriptions({ status: 'New' }, { status: 'Open' })).toEqual({ from: 'New' });
    expect(compareDescriptions({ status: 'New' }, { status: 'New' })).toEqual({ from: 'New' });
  });

  it('reports newly reached milestones', () => {
    const before = { status: 'New', milestones: [{ id: 'a', at }, { id: 'b' }] };
    const after = {
      status: 'New',
      milestones: [
        { id: 'a', at: '2026-02-02T00:00:00.000Z' },
        { id: 'b', at },
        { id: 'c', at },
      ],
    };
    expect(compareDescriptions(before, after).reached).toEqual(['b', 'c']);
    expect(compareDescriptions(after, before)).toEqual({ from: 'New' });
  });

  it('reports newly late milestones', () => {
    const before = { status: 'New', milestones: [{ id: 'a', late: true }, { id: 'b' }] };
    const after = {
      status: 'New',
      milestones: [
        { id: 'a', late: true },
        { id: 'b', late: true },
        { id: 'c', late: false },
      ],
    };
    expect(compareDescriptions(before, after).late).toEqual(['b']);
  });

  it('reports milestones that are newly at risk, unless they are or were late', () => {
    const describe = (...milestones: MilestoneProgress[]) => ({ status: 'New', milestones });
    const before = describe({ id: 'a', atRisk: true }, { id: 'b' }, { id: 'c', late: true });
    const after = describe(
      { id: 'a', atRisk: true },
      { id: 'b', atRisk: true },
      { id: 'c', atRisk: true },
      { id: 'd', atRisk: true, late: true },
    );
    expect(compareDescriptions(before, after).atRisk).toEqual(['b']);
  });

  it.each<[what: string, before: object, after: object]>([
    ['it was reached on time', { late: true }, { at, expectedBy: at }],
    ['it has more time', { late: true }, { expectedBy: at }],
    ['it is paused', { late: true }, { paused: true }],
    [
      'it was reached earlier than was known',
      { at: later, expectedBy: at },
      { at, expectedBy: at },
    ],
  ])('reports a late milestone as no longer late if %s', (_, was, is) => {
    const changes = compareDescriptions(withMilestone(was), withMilestone(is));
    expect(changes.lateCleared).toEqual(['a']);
  });

  it.each<[what: string, before: object, after: object]>([
    ['was reached late', { late: true }, { at: later, expectedBy: at }],
    ['stays late', { late: true }, { late: true }],
    ['was never late', { expectedBy: at }, { at, expectedBy: at }],
    [
      'was reached in the millisecond of its deadline',
      { at: at.replace('Z', '001Z'), expectedBy: at },
      { at, expectedBy: at },
    ],
  ])('does not report a milestone as no longer late if it %s', (_, was, is) => {
    const changes = compareDescriptions(withMilestone(was), withMilestone(is));
    expect(changes.lateCleared).toBeUndefined();
  });

  it.each<[what: string, before: object, after: object]>([
    [
      'its deadline moves to before it was reached',
      { at, expectedBy: later },
      { at: later, expectedBy: at },
    ],
    ['it gets a deadline that has passed', { at: later }, { at: later, expectedBy: at }],
  ])('reports a reached milestone as late if %s', (_, was, is) => {
    const changes = compareDescriptions(withMilestone(was), withMilestone(is));
    expect(changes.late).toEqual(['a']);
  });

  it.each<[what: string, before: object, after: object]>([
    ['was late before it was reached', { late: true }, { at: later, expectedBy: at }],
    ['is newly reached', {}, { at: later, expectedBy: at }],
    ['stays late', { at: later, expectedBy: at }, { at: later, expectedBy: at }],
  ])('does not report a reached milestone as late if it %s', (_, was, is) => {
    const changes = compareDescriptions(withMilestone(was), withMilestone(is));
    expect(changes.late).toBeUndefined();
  });

  it('reports the end of the process once', () => {
    const [open, ended] = [{ status: 'New' }, { status: 'New', done: true }];
    expect(compareDescriptions(open, ended).done).toBe(true);
    expect(compareDescriptions(ended, ended)).toEqual({ from: 'New' });
    expect(compareDescriptions(ended, open)).toEqual({ from: 'New' });
  });
});
