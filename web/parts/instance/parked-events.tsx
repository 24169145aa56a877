import { useEffect, useState } from 'preact/hooks';
import type { DeadLetterPage, Instance, LetterSummary } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { countOf, locale } from '../../pure/locale.ts';
import { Action } from '../action.tsx';
import { Id } from '../marks.tsx';
import { Moment } from '../moment.tsx';

/** The polling interval, in milliseconds, until the dead letters of all parked events have been loaded. */
const everyMs = 10_000;

/** An instance's parked events with their reasons, oldest first, and a button to redrive them. */
export function ParkedEvents({
  instance: { model, transaction, parked, oldestParked },
  isModelRemoved,
  redrive,
  said,
}: {
  readonly instance: Instance;
  readonly isModelRemoved: boolean;
  readonly redrive: () => Promise<string>;
  readonly said: (text: string) => void;
}) {
  const [letters, setLetters] = useState<readonly LetterSummary[]>([]);
  const [complete, setComplete] = useState(false);
  // The API cannot list dead letters by instance, but the newest dead letters often include the events that are waiting
  // for the oldest parked event. A dead letter can appear shortly after the count of parked events changes.
  const { body, failure } = useLive<DeadLetterPage>(
    '/api/dead-letters?limit=100&raw=false',
    complete ? undefined : everyMs,
  );
  useEffect(() => {
    if (!body) return;
    const found = body.deadLetters.filter(
      (letter) => letter.parked && letter.modelId === model && letter.transactionId === transaction,
    );
    setLetters(found.toReversed());
    setComplete(found.length >= parked);
  }, [body, model, transaction, parked]);
  const later = letters.filter(({ eventId }) => eventId !== oldestParked?.eventId);
  const unlisted = parked - later.length - (oldestParked ? 1 : 0);
  const parkedEvents = countOf(parked, 'parked event');
  return (
    <section class="card parked" aria-labelledby="parked">
      <header>
        <h2 id="parked">{parkedEvents}</h2>
        <Action label="Redrive" title={`Redrive ${parkedEvents}?`} run={redrive} said={said}>
          <p>
            {parked === 1
              ? 'The model processes the event again. If it still fails, it is parked again.'
              : 'The model processes the events again, in order. Events that still fail are parked again.'}
          </p>
        </Action>
      </header>
      <p>
        {isModelRemoved
          ? 'The model was removed, so the events of this instance are waiting. Deploy the model, and then redrive the events.'
          : 'The oldest event keeps failing, and later events of this instance wait for it. Fix the cause, and then redrive the events.'}{' '}
        Parked events are also listed as <a href="/dead-letters">dead letters</a>.
      </p>
      <ul>
        {oldestParked ? <Row event={oldestParked} /> : null}
        {later.map((letter) => (
          <Row key={letter.id} event={letter} />
        ))}
        {unlisted > 0 && (body || failure) ? (
          <li class="faint">and {unlisted.toLocaleString(locale)} more, not listed here</li>
        ) : null}
      </ul>
    </section>
  );
}

function Row({
  event: { eventId, reason, at },
}: {
  readonly event: Pick<LetterSummary, 'eventId' | 'reason' | 'at'>;
}) {
  return (
    <li>
      <code>
        <Id text={eventId ?? ''} />
      </code>{' '}
      <Id text={reason} />{' '}
      <span class="faint">
        <Moment at={at} />
      </span>
    </li>
  );
}
