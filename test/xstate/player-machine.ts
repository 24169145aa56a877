import { assign, cancel, enqueueActions, raise, setup } from 'xstate';

/** A player as a machine with parallel regions, deep history, delays that start delays, and delayed raised events. */
export const playerMachine = setup({
  types: {
    context: {} as { volume: number; played: number; woken: number; asleep: boolean },
    events: {} as { type: string },
  },
  guards: { isLoud: ({ context }) => context.volume >= 3 },
  delays: { track: ({ context }) => 1000 + context.volume * 500 },
}).createMachine({
  id: 'player',
  context: { volume: 0, played: 0, woken: 0, asleep: false },
  initial: 'off',
  states: {
    off: {
      entry: [assign({ asleep: false }), cancel('sleep')],
      on: { power: '#player.running.hist' },
    },
    running: {
      type: 'parallel',
      on: {
        power: 'off',
        sleep: {
          actions: enqueueActions(({ enqueue, context }) => {
            enqueue.assign({ asleep: !context.asleep });
            // Cancel the pending event. Otherwise, an actor would replace it with the new event of the same id without
            // canceling it, and would deliver both events.
            enqueue.cancel('sleep');
            enqueue.raise({ type: 'awake' }, { id: 'sleep', delay: 3000 });
          }),
        },
        awake: { actions: assign({ woken: ({ context }) => context.woken + 1 }) },
      },
      states: {
        hist: { type: 'history', history: 'deep' },
        sound: {
          initial: 'quiet',
          states: {
            quiet: {
              on: { louder: { actions: assign({ volume: ({ context }) => context.volume + 1 }) } },
              always: { guard: 'isLoud', target: 'loud' },
            },
            loud: {
              on: { louder: { target: 'loud', reenter: true } },
              after: { 2500: { target: 'quiet', actions: assign({ volume: 0 }) } },
            },
          },
        },
        tape: {
          initial: 'stopped',
          states: {
            stopped: { on: { play: 'playing' } },
            playing: {
              initial: 'side1',
              on: { play: 'stopped', skip: { target: 'playing', reenter: true } },
              states: {
                side1: { after: { track: 'side2' }, on: { 'track.ended': 'side2' } },
                side2: { after: { track: 'ended' }, on: { 'track.ended': 'ended' } },
                ended: {
                  entry: [
                    assign({ played: ({ context }) => context.played + 1 }),
                    raise({ type: 'play' }),
                  ],
                },
              },
            },
          },
        },
      },
    },
  },
});
