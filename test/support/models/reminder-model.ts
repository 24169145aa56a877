import * as v from 'valibot';
import { cancelTimer, startTimer } from '../../../src/core/effects/effect.ts';
import { timerFired } from '../../../src/core/effects/timer.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model } from '../../../src/core/model/model.ts';

/** A model for tests that starts and cancels timers on request, and stores which timers fired. */
export const reminder = defineModel({
  id: 'reminder',
  title: 'Timers',
  statuses: ['Open'],
  events: {
    asked: v.object({
      start: v.optional(v.record(v.string(), v.string()), {}),
      cancel: v.optional(v.array(v.string()), []),
    }),
    'timer.fired': timerFired,
  },
  initial: (): { fired: string[] } => ({ fired: [] }),
  transition(event, { fired }) {
    if (event.type === 'timer.fired') return accept({ fired: [...fired, event.data.name] });
    const { start, cancel } = event.data;
    return accept(
      { fired },
      ...Object.entries(start).map(([name, dueAt]) => startTimer(name, dueAt)),
      ...cancel.map(cancelTimer),
    );
  },
  describe: () => ({ status: 'Open' }),
}) as unknown as Model;
