import { describe, expect, it } from 'vitest';
import type { ProcessDeclaration } from '../../../src/core/process/declaration.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import type { MilestoneDeadline } from '../../../src/core/process/milestone-deadline.ts';
import { daytime } from '../../support/daytime-calendar.ts';
import { thrownBy } from '../../support/thrown-by.ts';

/** Returns the error message for a process whose milestone has the given deadline and, optionally, other members. */
function message(deadline: object, parts: Partial<ProcessDeclaration> = {}): string {
  const milestones = [
    { id: 'paid', label: 'Paid', on: 'paid' },
    { id: 'sent', label: 'Sent', on: 'sent', deadline: deadline as MilestoneDeadline },
  ];
  const declared = { id: 'order', milestones, ...parts };
  return (thrownBy(() => defineProcess(declared)) as Error).message;
}

describe('the declaration of a deadline', () => {
  it.each<[what: string, deadline: object, expected: string]>([
    ['neither within nor due', {}, 'within or due is required'],
    ['an invalid duration', { within: '2 days' }, '"2 days" is not an ISO 8601 duration'],
    [
      'a duration that its calendar cannot add',
      { within: 'P1W', calendar: daytime },
      'deadline: P1W: use hours',
    ],
    ['an invalid pointer', { due: 'promisedAt' }, '"promisedAt" is not a JSON Pointer'],
    ['a pointer to no data', { due: '/time' }, '"/time" is not a JSON Pointer into the data'],
    ['a warnAt of 0', { within: 'PT1H', warnAt: 0 }, 'must be more than 0 and less than 1; got 0'],
    ['a warnAt of 1', { within: 'PT1H', warnAt: 1 }, 'must be more than 0 and less than 1; got 1'],
    [
      'an unknown milestone',
      { within: 'PT1H', after: 'packed' },
      'sent has a deadline that starts after "packed"',
    ],
    [
      'its own milestone as its start',
      { within: 'PT1H', after: 'sent' },
      'depends on sent itself: sent after sent',
    ],
    [
      'tiers that depend on data that is not kept',
      { within: 'PT1H', tiers: { key: 'tier', gold: 'PT30M' } },
      'sent depends on "tier", which is not in keep',
    ],
    [
      'an invalid tier',
      { within: 'PT1H', tiers: { key: 'tier', gold: 'fast' } },
      'tiers.gold: "fast"',
    ],
    [
      'tiers of a promised time',
      { due: '/data/by', tiers: { key: 'tier', gold: 'PT1H' } },
      'tiers override within for some values',
    ],
    [
      'a name instead of a calendar',
      { within: 'PT1H', calendar: 'office' },
      'must be a calendar; use defineCalendar',
    ],
    [
      'calendars without a default',
      { within: 'PT1H', calendar: { key: 'site', oslo: daytime } },
      'calendar.default',
    ],
    [
      'calendars that depend on data that is not kept',
      { within: 'PT1H', calendar: { key: 'site', default: daytime } },
      'sent depends on "site", which is not in keep',
    ],
    [
      'a pause that begins and ends with the same event',
      { within: 'PT1H', pausedWhile: { from: 'asked', until: 'asked' } },
      'from and until must differ',
    ],
    [
      'a pause that begins with the event of a milestone',
      { within: 'PT1H', pausedWhile: { from: 'paid', until: 'asked' } },
      'paid both pauses deadlines and reaches paid',
    ],
    [
      'an unknown member',
      { within: 'PT1H', graze: 'PT1H' },
      'milestones.1.deadline.graze: unknown key; did you mean `grace`?',
    ],
  ])('is rejected if it has %s', (_, deadline, expected) => {
    expect(message(deadline)).toContain(expected);
  });

  it('is rejected with one message for each invalid duration, even if its calendar also rejects the duration', () => {
    const deadline = { within: 'P1M', calendar: daytime, tiers: { key: 'tier', gold: 'fast' } };
    expect(message(deadline)).toBe(
      'process "order": milestones.1.deadline.within: P1M: years and months have no fixed length; use days; ' +
        'milestones.1.deadline.tiers.gold: "fast" is not an ISO 8601 duration, such as P2D or PT8H',
    );
  });

  it('must not be combined with expectedWithin', () => {
    const both = { expectedWithin: 'PT1H', deadline: { within: 'PT1H' } };
    const milestones = [{ id: 'paid', label: 'Paid', ...both }];
    expect(message({}, { milestones })).toContain('has both expectedWithin and deadline');
  });

  it('must not depend on itself through other deadlines', () => {
    const after = (id: string, start: string) => ({
      id,
      label: id,
      deadline: { within: 'PT1H', after: start },
    });
    const milestones = [after('a', 'b'), after('b', 'c'), after('c', 'b')];
    const text = message({}, { milestones });
    expect(text).toContain('the deadline of b depends on b itself: b after c after b');
    expect(text).not.toContain('the deadline of a');
  });

  it('is rejected with a list of all mistakes', () => {
    const text = message(
      { within: 'PT1H', after: 'packed', tiers: { key: 'tier', gold: 'PT1M' } },
      { cancelOn: 'paid', extendOn: 'sent' },
    );
    expect(text).toBe(
      'process "order": paid both cancels the process and reaches paid; ' +
        'sent both extends deadlines and reaches sent; ' +
        'the milestone sent has a deadline that starts after "packed", which is not a milestone; ' +
        'the milestone sent depends on "tier", which is not in keep',
    );
  });
});

describe('the declaration of a process', () => {
  const within = { within: 'PT1H' };
  it.each<[what: string, parts: Partial<ProcessDeclaration>, expected: string]>([
    [
      'an unknown member',
      { cancelsOn: 'x' } as object,
      'cancelsOn: unknown key; did you mean `cancelOn`?',
    ],
    [
      'a milestone without a label',
      { milestones: [{ id: 'a' }] as never },
      'milestones.0.label: is missing',
    ],
    [
      'kept data with a bad name',
      { keep: { 'a.b': '/data/a' } },
      'the name "a.b" must have 1 to 32',
    ],
    ['kept data with a bad pointer', { keep: { tier: 'tier' } }, '"tier" is not a JSON Pointer'],
    [
      'an extension without a deadline',
      { extendOn: 'more', milestones: [{ id: 'a', label: 'A' }] },
      'extendOn requires a milestone with a deadline',
    ],
    [
      'an event that both pauses and extends deadlines',
      {
        extendOn: 'more',
        milestones: [
          {
            id: 'a',
            label: 'A',
            deadline: { ...within, pausedWhile: { from: 'more', until: 'go' } },
          },
        ],
      },
      'more both pauses deadlines and extends deadlines',
    ],
  ])('is rejected if it has %s', (_, parts, expected) => {
    expect(message(within, parts)).toContain(expected);
  });

  it('can use one event to end a pause and to begin another', () => {
    const pausedBy = (id: string, from: string, until: string) => ({
      id,
      label: id,
      on: id,
      deadline: { ...within, pausedWhile: { from, until } },
    });
    const milestones = [pausedBy('ours', 'asked', 'told'), pausedBy('theirs', 'told', 'asked')];
    expect(Object.keys(defineProcess({ id: 'order', milestones }).events).toSorted()).toEqual([
      ...['asked', 'ours', 'theirs', 'timer.fired', 'told'],
    ]);
  });
});
