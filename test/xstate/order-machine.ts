import { assign, cancel, emit, raise, setup } from 'xstate';

type Paid = { type: 'order.paid'; data: { amount: number }; time: string };

/** An order as a machine with nested and parallel states, delays, guards, history, and raised and emitted events. */
export const orderMachine = setup({
  types: {
    context: {} as { due: number; paid: number; paidAt?: string; reminders: number; log: string[] },
    input: {} as { due: number },
    events: {} as
      | Paid
      | { type: 'order.held' | 'order.resumed' | 'order.cancelled' }
      | { type: 'order.packed' | 'order.billed' }
      | { type: 'payment.completed' }
      | { type: 'reminder.due'; count: number }
      | { type: 'note.written'; data: { text: string } },
    emitted: {} as { type: 'OrderPaid'; amount: number },
  },
  guards: {
    isEnough: ({ context, event }) =>
      event.type === 'order.paid' && context.paid + event.data.amount >= context.due,
  },
  delays: { patience: ({ context }) => context.due * 1000 },
  actions: {
    pay: assign(({ context, event }) => {
      const { data, time } = event as Paid;
      return { paid: context.paid + data.amount, paidAt: time };
    }),
    // The model declares the effects of this action.
    tellWarehouse: () => undefined,
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ due: input.due, paid: 0, reminders: 0, log: [] }),
  initial: 'open',
  on: { 'order.cancelled': { target: '.cancelled' } },
  states: {
    open: {
      initial: 'waiting',
      on: {
        'order.held': { target: 'held' },
        'note.written': {
          actions: assign({ log: ({ context, event }) => [...context.log, event.data.text] }),
        },
      },
      states: {
        waiting: {
          entry: raise({ type: 'reminder.due', count: 1 }, { id: 'reminder', delay: 60_000 }),
          exit: cancel('reminder'),
          after: { patience: { target: '#order.expired' } },
          on: {
            'order.paid': [
              {
                guard: 'isEnough',
                target: 'settling',
                actions: [
                  'pay',
                  emit(({ context }) => ({ type: 'OrderPaid', amount: context.paid })),
                  raise({ type: 'payment.completed' }),
                ],
              },
              { actions: 'pay' },
            ],
            'reminder.due': {
              actions: assign({
                reminders: ({ context, event }) => context.reminders + event.count,
              }),
            },
          },
        },
        settling: {
          on: { 'payment.completed': { target: 'settled' } },
        },
        settled: {
          after: { 5000: { target: '#order.fulfilling' } },
        },
        hist: { type: 'history' },
      },
    },
    held: { on: { 'order.resumed': { target: 'open.hist' } } },
    fulfilling: {
      type: 'parallel',
      entry: { type: 'tellWarehouse', params: { urgent: true } },
      states: {
        packing: {
          initial: 'todo',
          states: { todo: { on: { 'order.packed': 'boxed' } }, boxed: { type: 'final' } },
        },
        billing: {
          initial: 'todo',
          states: { todo: { on: { 'order.billed': 'sent' } }, sent: { type: 'final' } },
        },
      },
      onDone: { target: 'complete' },
    },
    complete: { type: 'final' },
    expired: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
