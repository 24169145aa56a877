import { describe, expect, it } from 'vitest';
import { compareDescriptions } from '../../../src/core/history/description-changes.ts';

const at = '2026-01-01T00:00:00.000Z';

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

  it('reports the previous status, whether or not it changed', () => {
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

  it('reports the end of the process once', () => {
    const [open, ended] = [{ status: 'New' }, { status: 'New', done: true }];
    expect(compareDescriptions(open, ended).done).toBe(true);
    expect(compareDescriptions(ended, ended)).toEqual({ from: 'New' });
    expect(compareDescriptions(ended, open)).toEqual({ from: 'New' });
  });
});
