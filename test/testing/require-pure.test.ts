import { accept, defineModel, emit, reject, startTimer } from 'milepost';
import { given } from 'milepost/testing';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

/** Creates a model that stores the result of `read`. */
const modelThat = (read: (time: string) => unknown) =>
  defineModel({
    id: 'm',
    title: 'M',
    statuses: ['Open'],
    events: { happened: v.unknown() },
    initial: (): unknown => null,
    transition: ({ time }) => accept({ value: read(time) }),
    describe: () => ({ status: 'Open' }),
  });

const happened = { type: 'happened' };
let counter = 0;

describe('given', () => {
  it.each<[string, () => unknown]>([
    ['the current time', () => Date.now()],
    ['the current date', () => new Date().toISOString()],
    ['the current date as text', () => Date()],
    ['a random number', () => Math.random()],
    ['a random id', () => crypto.randomUUID()],
    ['a variable outside the state', () => counter++],
  ])('rejects a model whose state contains %s', (_, read) => {
    expect(() => given(modelThat(read)).when(happened)).toThrow(
      /^given: the model is not pure: on happened, \/state\/value is .+, but .+ if the model runs again a day later; take times and ids from the event, not from the system clock or random numbers$/,
    );
    expect(() => given(modelThat(read), happened)).toThrow('is not pure');
  });

  it('rejects a model whose reasons, effects, timers, or description are not pure', () => {
    const model = modelThat(() => 0);
    const now = () => new Date().toISOString();
    const other = { model: 'm', transaction: 'other' };
    for (const impure of [
      { ...model, transition: () => reject(`it is ${now()}`) },
      { ...model, transition: () => accept(0, emit({ ...other, type: 't', data: now() })) },
      { ...model, transition: () => accept(0, startTimer('t', now())) },
      { ...model, describe: () => ({ status: 'Open', reference: now() }) },
    ])
      expect(() => given(impure).when(happened)).toThrow('the model is not pure: on happened, /');
  });

  it('rejects a model whose migration is not pure', () => {
    const model = { ...modelThat(() => 0), version: 2, migrate: () => ({ at: Date.now() }) };
    expect(() => given(model).state({}, { version: 1 })).toThrow(
      'the model is not pure: in migrate from version 1, /state/at is ',
    );
  });

  it('accepts a model that computes with the time of the event', () => {
    const read = (time: string) => {
      const date = new Date(time);
      if (!(date instanceof Date)) throw new Error('not a date');
      date.setUTCHours(date.getUTCHours() + 1);
      return [date.toISOString(), Date.parse(time), new Date(2026, 0).getFullYear()];
    };
    given(modelThat(read))
      .when(happened)
      .then(({ state }) =>
        expect(state).toEqual({ value: ['2026-01-01T01:00:00.000Z', 1_767_225_600_000, 2026] }),
      );
  });

  it('restores the system clock, even if the model fails', () => {
    const { Date: before } = globalThis;
    const fails = () => {
      throw new Error('oh');
    };
    expect(() => given(modelThat(fails)).when(happened)).toThrow('oh');
    expect(() => given(modelThat(() => Date.now())).when(happened)).toThrow('is not pure');
    expect(globalThis.Date).toBe(before);
  });
});
