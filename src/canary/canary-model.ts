import * as v from 'valibot';
import { startTimer } from '../core/effects/effect.ts';
import { timerFired } from '../core/effects/timer.ts';
import { defineModel } from '../core/model/define-model.ts';
import { accept, type Decision } from '../core/model/model.ts';
import { after } from '../core/time/duration.ts';

/** The state of a day's canary instance. */
export interface CanaryState {
  /** The id of the latest event, which is a timestamp; empty before the first event. */
  readonly last: string;
  readonly isFinished: boolean;
}

/** How long after its first event an instance is done. The instance's day has ended by then. */
const lifetime = 'PT24H';

/** The model for the canary's events. Each day in UTC has one instance, which is done after the day has ended. */
export const canaryModel = defineModel({
  id: 'milepost-canary',
  title: 'Canary',
  statuses: ['Running', 'Finished'],
  events: { 'canary.checked': v.unknown(), 'timer.fired': timerFired },
  initial: (): CanaryState => ({ last: '', isFinished: false }),
  transition(event, state): Decision<CanaryState> {
    if (event.type === 'timer.fired') return accept({ ...state, isFinished: true });
    const next = { ...state, last: event.id };
    if (state.last !== '') return accept(next);
    return accept(next, startTimer('end', after(event.time, lifetime)));
  },
  describe: ({ isFinished }) => ({
    status: isFinished ? 'Finished' : 'Running',
    done: isFinished,
  }),
});
