import { useEffect, useState } from 'preact/hooks';
import type { DeadLetter, DeadLetterPage, Instance } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';

/** How often it asks for dead letters that are not there yet, in milliseconds. */
const everyMs = 1000;

/** An instance's parked events: why, and a way on. */
export function ParkedEvents({
  instance: { model, transaction, parked },
  redrive,
  said,
}: {
  readonly instance: Instance;
  readonly redrive: () => Promise<string>;
  readonly said: (text: string) => void;
}) {
  const [letters, setLetters] = useState<readonly DeadLetter[]>([]);
  const [complete, setComplete] = useState(false);
  // The newest dead letters of all instances; these are mostly among them. They may come a moment
  // later than the count does.
  const { body } = useLive<DeadLetterPage>(
    '/api/dead-letters?limit=100',
    complete ? undefined : everyMs,
  );
  useEffect(() => {
    if (!body) return;
    const found = body.deadLetters.filter(
      (letter) => letter.modelId === model && letter.transactionId === transaction,
    );
    setLetters(found.toReversed());
    setComplete(found.length >= parked);
  }, [body, model, transaction, parked]);
  const [events, are, they] = parked === 1 ? ['event', 'is', 'it'] : ['events', 'are', 'they'];
  return (
    <section class="card parked" aria-labelledby="parked">
      <header>
        <h2 id="parked">
          {parked.toLocaleString()} {events} {are} parked
        </h2>
        <Action
          label="Redrive"
          title={`Redrive ${parked} parked ${events}?`}
          run={redrive}
          said={said}
        >
          <p>
            The model is given {they === 'it' ? 'it' : 'them, in order,'} again. If it still fails,{' '}
            {they} {are} parked again.
          </p>
        </Action>
      </header>
      <p>
        The model’s code failed again and again, so what came after waits. Mend the model, then
        redrive. The records are among the <a href="/dead-letters">dead letters</a>.
      </p>
      <ul>
        {letters.map(({ id, eventId, reason, at }) => (
          <li key={id}>
            <code>{eventId}</code> {reason}{' '}
            <span class="faint">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
