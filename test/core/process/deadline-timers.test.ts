import { fired, given } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { maximumPauseEvents } from '../../../src/core/process/pause-events.ts';
import type { ProcessState } from '../../../src/core/process/state.ts';
import {
  after,
  answer,
  answered,
  at,
  claim,
  documents,
  extended,
  received,
  requested,
} from './claim-process.ts';

describe('a deadline with pauses', () => {
  it('has no expected time and no timers while it is paused', () => {
    const { description, timers } = after(received(), requested('05T10:00'));
    expect(description.milestones![1]).toEqual({ id: 'answered', paused: true });
    expect(timers).toEqual([]);
  });

  it('moves by the open time of the pause when the pause ends', () => {
    const { description, timers } = after(received(), requested('05T16:00'), documents('06T10:00'));
    expect(description.milestones![1]).toEqual({
      id: 'answered',
      expectedBy: at('06T11:00'),
      atRiskAt: at('05T15:00'),
    });
    expect(timers).toEqual([
      { name: 'risk/answered', dueAt: at('05T15:00') },
      { name: 'late/answered', dueAt: at('06T11:00') },
    ]);
  });

  it('is not paused by a pause that begins after the milestone was reached', () => {
    const progress = answer(received(), requested('05T12:00'), answered('05T11:00'));
    expect(progress).toEqual({ id: 'answered', at: at('05T11:00'), expectedBy: at('05T17:00') });
  });

  it('has at most 200 pauses, the last of which can always end', () => {
    const day = (index: number) => String(1 + Math.floor(index / 24)).padStart(2, '0');
    const hour = (index: number) => String(index % 24).padStart(2, '0');
    const times = Array.from(
      { length: maximumPauseEvents },
      (_, index) => `${day(index)}T${hour(index)}`,
    );
    const pauses = times.flatMap((time) => [requested(`${time}:00`), documents(`${time}:30`)]);
    const [first, ...others] = pauses;
    expect(after(first!, ...others).outcome).toBe('applied');
    expect(after(first!, ...others, requested('20T00:00')).reason).toBe(
      'the process already has 200 pauses by documents.requested, which is the limit',
    );
    const open = [...others.slice(0, -1), requested('21T00:00'), documents('22T00:00')];
    expect(after(first!, ...open).outcome).toBe('applied');
  });

  it('ignores repeated events that would begin a pause when the limit is reached', () => {
    const again = Array.from({ length: maximumPauseEvents + 5 }, (_, index) => ({
      type: 'documents.requested',
      time: new Date(Date.parse(at('05T10:00')) + index).toISOString(),
    }));
    const { outcome, state } = after(received(), ...again);
    expect(outcome).toBe('applied');
    const { pause_events } = state as { pause_events: Record<string, string[]> };
    expect(pause_events['documents.requested']!.length).toBeLessThanOrEqual(maximumPauseEvents);
    expect(answer(received(), ...again, documents('05T12:00')).expectedBy).toBe(at('06T11:00'));
  });
});

describe('the timers of a deadline', () => {
  const timers = [
    { name: 'risk/answered', dueAt: at('05T15:00') },
    { name: 'late/answered', dueAt: at('05T17:00') },
  ];

  it('fire when the milestone is at risk and when it is late', () => {
    expect(after(received()).timers).toEqual(timers);
    expect(answer(received(), fired('risk/answered')).atRisk).toBe(true);
    const late = after(received(), fired('risk/answered'), fired('late/answered'));
    expect(late.description.milestones![1]).toMatchObject({ late: true });
    expect(late.description.milestones![1]).not.toHaveProperty('atRisk');
    expect(late.timers).toEqual([]);
  });

  it('keep running if their time stays the same', () => {
    const { timers: same, state } = after(received(), requested('05T18:00'));
    expect(same).toEqual(timers);
    const event = {
      type: 'documents.received',
      time: at('05T19:00'),
      id: 'e',
      source: 's',
      model: 'claim',
    };
    const context = { first: false, recordedAt: at('05T19:00') };
    expect(
      claim.transition({ ...event, transaction: 't', data: {} }, state as ProcessState, context),
    ).toMatchObject({ accepted: true, effects: [] });
  });

  it('restart if the deadline moves to a later time after they fire', () => {
    const moved = after(
      received(),
      fired('risk/answered'),
      fired('late/answered'),
      extended({ milestone: 'answered', by: 'PT4H' }),
    );
    expect(moved.description.milestones![1]).toEqual({
      id: 'answered',
      expectedBy: at('06T13:00'),
      atRiskAt: at('06T10:00'),
    });
    expect(moved.timers.map(({ name }) => name)).toEqual(['risk/answered', 'late/answered']);
  });

  it('fire after the grace period, which does not change the expected time', () => {
    const process = defineProcess({
      id: 'batch',
      milestones: [
        { id: 'booked', label: 'Booked', deadline: { within: 'PT1H', warnAt: 0.5, grace: 'PT2H' } },
        { id: 'sent', label: 'Sent', on: 'sent' },
        { id: 'done', label: 'Done' },
      ],
    });
    given(process)
      .when({ type: 'sent', time: at('05T09:00') })
      .then(({ timers, description }) => {
        expect(timers).toEqual([
          { name: 'risk/booked', dueAt: at('05T11:30') },
          { name: 'late/booked', dueAt: at('05T12:00') },
        ]);
        expect(description.milestones![0]).toEqual({
          id: 'booked',
          expectedBy: at('05T10:00'),
          atRiskAt: at('05T09:30'),
        });
      });
  });

  it('restart after they fire if another version of the process set them too early', () => {
    const one = (within: string, version: number) =>
      defineProcess({
        id: 'one',
        version,
        milestones: [
          { id: 'sent', label: 'Sent', on: 'sent' },
          { id: 'done', label: 'Done', deadline: { within } },
        ],
      });
    const sent = { type: 'sent', time: at('05T09:00') };
    // The timer of the first version fires in the second version.
    const early = {
      type: 'timer.fired',
      time: at('05T10:00'),
      data: { name: 'late/done', dueAt: at('05T10:00') },
    };
    given(one('PT1H', 1), sent)
      .when(fired('late/done'))
      .then(({ description }) => expect(description.milestones![1]!.late).toBe(true));
    const second = one('PT5H', 2);
    const state = { started_at: sent.time, reached: { sent: sent.time } };
    const decision = second.transition(
      { ...early, id: 't', source: 'clock', model: 'one', transaction: 'x' },
      state,
      { first: false, recordedAt: early.time },
    );
    expect(decision).toEqual({
      accepted: true,
      state,
      effects: [{ kind: 'start-timer', name: 'late/done', dueAt: at('05T14:00') }],
    });
  });
});

describe('an event from a producer whose clock is ahead', () => {
  /** Applies an event that is recorded on January 5, regardless of its own time. */
  function recorded(type: string, time: string, state?: ProcessState): ProcessState {
    const event = { id: type, source: 's', model: 'claim', transaction: 't', type, time, data: {} };
    const decision = claim.transition(event, state ?? claim.initial(event), {
      first: state === undefined,
      recordedAt: at('05T09:00'),
    });
    if (!decision.accepted) throw new Error(decision.reason);
    return decision.state;
  }

  it('reaches its milestone when it is recorded', () => {
    const state = recorded('claim.received', at('20T09:00'));
    expect(state).toMatchObject({
      started_at: at('05T09:00'),
      reached: { received: at('05T09:00') },
    });
    expect(claim.describe(state).milestones![1]).toMatchObject({ expectedBy: at('05T17:00') });
  });

  it('begins a pause when it is recorded', () => {
    const before = recorded('claim.received', at('05T08:00'));
    const state = recorded('documents.requested', at('05T12:00'), before);
    expect(state.pause_events).toEqual({ 'documents.requested': [at('05T09:00')] });
  });
});
