import { isDeepStrictEqual } from 'node:util';
import { isTimerEvent } from '../core/effects/timer.ts';
import { reasonWithPlace } from '../core/history/reason.ts';
import type { Json } from '../core/json/json.ts';
import { type Check, excerpt } from './check.ts';
import type { PlayedHistory } from './play.ts';
import type { Answer, Question, Subject } from './subject.ts';

const nothing = { before: null };
/** Values that hardly any model stores as a state or accepts as an event's data. */
const nonsense: readonly Json[] = [null, 0, '', [], [[]], { '': { conformance: [null] } }];

/** Returns the checks that apply to every model function, regardless of its model. */
export function generalChecks(subject: Subject, played: readonly PlayedHistory[]): Check[] {
  const { model: id, ...unknown } = subject.event(0, { type: 'conformance.unknown-type' });
  const histories = played.map((each) => ({ ...nothing, events: [...each.events] }));
  const first = histories[0] ?? { ...nothing, events: [{ ...unknown, model: id }] };
  const ask = async (question: Question) => (await subject.fold([question]))[0]!;

  return [
    {
      name: 'fails on an unknown operation',
      run: () => subject.expectRefusal({ protocol: 1, op: 'conformance' }),
    },
    {
      name: 'fails on an unsupported version of the protocol',
      async run() {
        await subject.expectRefusal({ protocol: 999, op: 'describe' });
        await subject.expectRefusal({ protocol: 999, op: 'fold', instances: [first] });
      },
    },
    {
      name: 'ignores unknown members',
      async run() {
        const more = { conformance: { a: [1] } };
        const events = first.events.map((event) => ({ ...event, ...more }));
        const [answer] = await subject.fold([{ ...first, events, ...more }], more);
        same(answer, await ask(first), 'with unknown members, the response is');
      },
    },
    {
      name: 'rejects an event of an unknown type and returns the initial state',
      async run() {
        const answer = await ask({ ...nothing, events: [{ ...unknown, model: id }] });
        if (answer.steps[0]?.accepted !== false)
          throw new Error(`the function returned ${excerpt(answer)}`);
        started(answer);
      },
    },
    {
      name: 'returns the same response to the same request',
      async run() {
        const before = await subject.fold(orOne(histories, first));
        same(await subject.fold(orOne(histories, first)), before, 'the second response is');
      },
    },
    {
      name: 'keeps instances separate and in order',
      async run() {
        const questions = [...histories, first, ...histories];
        const together = await subject.fold(questions);
        for (const [index, question] of questions.entries())
          same(together[index], await ask(question), 'among other instances, the response is');
        same(
          await subject.fold(questions.toReversed()),
          together.toReversed(),
          'in a different order, the response is',
        );
      },
    },
    {
      name: 'returns the same result for events folded together and one by one',
      async run() {
        for (const { name, events, steps } of played) {
          // Stop before a timer event because it must be the first event in a request.
          const end = events.findIndex((event, index) => index > 0 && isTimerEvent(event));
          const some = end === -1 ? events : events.slice(0, end);
          const answer = await ask({ ...nothing, events: [...some] });
          if (answer.fault !== undefined)
            throw new Error(`${name}: ${reasonWithPlace(answer.fault, answer.faultPlace)}`);
          for (const [index, step] of answer.steps.entries()) {
            const alone = steps[index]!;
            const state = step.accepted ? step.after.state : alone.after.state;
            if (step.accepted !== (alone.outcome === 'applied'))
              throw new Error(
                `${name}: event ${index + 1} is ${step.accepted ? '' : 'not '}accepted`,
              );
            same(state, alone.after.state, `${name}: after event ${index + 1}, the state is`);
          }
        }
      },
    },
    {
      name: 'isolates each instance from faults of other instances',
      async run() {
        const expected = await ask(first);
        const types = [...new Set([...Object.keys(subject.describedModel.events), unknown.type])];
        const version = subject.describedModel.version;
        const odd = nonsense.flatMap((value): Question[] =>
          types.flatMap((type) => {
            const events = [subject.event(0, { type, data: value })];
            return [
              { ...nothing, events },
              { before: { state: value, modelVersion: version }, events },
            ];
          }),
        );
        const questions = odd.flatMap((question) => [question, first]);
        const answers = await subject.fold(questions);
        for (const [index, answer] of answers.entries())
          if (questions[index] === first)
            same(answer, expected, 'among invalid data, the response is');
      },
    },
    {
      name: 'accepts any text, and times with nine decimals',
      async run() {
        const text = '𝔲 \u0007"\\ \u2028 é e\u0301 🐎‍♀️';
        const time = '2026-02-28T23:59:59.123456789Z';
        const odd = { transaction: `${text.replace('\u0007', '')}#/%25`, source: text, time };
        const events = first.events.map((event) => ({
          ...event,
          ...odd,
          id: `${event.id}${text}`,
        }));
        const wordy = subject.event(0, { ...odd, type: text, data: { [text]: text } });
        const [answer, refused] = await subject.fold([
          { ...nothing, events },
          { ...nothing, events: [wordy] },
        ]);
        if (answer?.fault !== undefined)
          throw new Error(reasonWithPlace(answer.fault, answer.faultPlace));
        if (refused?.steps[0]?.accepted !== false)
          throw new Error(`the response is ${excerpt(refused)}`);
      },
    },
    {
      name: 'accepts large events, and many instances',
      async run() {
        const large = subject.event(0, { type: unknown.type, data: { text: 'é'.repeat(120_000) } });
        await subject.fold([{ ...nothing, events: [large] }]);
        const many = Array.from({ length: 300 }, () => first);
        const answers = await subject.fold(many);
        same(answers.at(-1), answers[0], 'for the last of 300 instances, the response is');
      },
    },
    {
      name: 'migrates a state from another version, or reports a fault',
      async run() {
        const known = played.find(({ steps }) => steps.length > 0);
        const state = known?.steps[0]?.after.state ?? {};
        const modelVersion = subject.describedModel.version + 1;
        const events = [subject.event(0, { type: unknown.type })];
        const answer = await ask({ before: { state, modelVersion }, events });
        if (answer.fault === undefined) started(answer);
      },
    },
  ];
}

const orOne = (questions: readonly Question[], first: Question) =>
  questions.length > 0 ? questions : [first];

function started({ start }: Answer): void {
  if (start === undefined) throw new Error('the response has no `start`');
}

function same(is: unknown, was: unknown, what: string): void {
  if (!isDeepStrictEqual(is, was))
    throw new Error(`${what} ${excerpt(is)} instead of ${excerpt(was)}`);
}
