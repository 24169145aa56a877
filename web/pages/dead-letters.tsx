import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { requestJson } from '../api/request-json.ts';
import type { DeadLetter, DeadLetterPage } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { Action, ActionMessage } from '../parts/action.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Failed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { decodeContent, sizeText } from '../pure/content.ts';
import { instancePage, withQuery } from '../pure/paths.ts';

/** The number of characters that are shown until the user selects "Show all". */
const lettersAtFirst = 10_000;

/** The dead letters, each with its reason, its content, and actions. */
export function DeadLettersPage() {
  const { cursor } = useLocation().query;
  const path = withQuery('/api/dead-letters', { limit: '10', cursor });
  const { body, failure, stale, refresh } = useLive<DeadLetterPage>(
    path,
    cursor ? undefined : 3000,
  );
  const [said, setSaid] = useState('');
  const done = (text: string) => {
    setSaid(text);
    refresh();
  };
  return (
    <>
      <Title text="Dead letters" />
      <ActionMessage text={said} />
      {body ? (
        <div class={stale ? 'stale' : ''} aria-busy={stale}>
          {body.deadLetters.map((letter) => (
            <DeadLetterItem key={letter.id} letter={letter} said={done} />
          ))}
          {body.deadLetters.length === 0 ? (
            <Empty title="No dead letters">
              <p>
                All events were processed. A record that is not a valid event, or an event that a
                model’s code keeps failing on, appears here with the reason. Other instances
                continue without delay.
              </p>
            </Empty>
          ) : null}
          <Pager next={body.cursor} />
        </div>
      ) : null}
      {!body && failure ? <Failed failure={failure} retry={refresh} /> : null}
      {!body && !failure ? <Waiting lines={20} /> : null}
    </>
  );
}

function DeadLetterItem({
  letter: { id, reason, at, modelId, transactionId, eventId, raw },
  said,
}: {
  readonly letter: DeadLetter;
  readonly said: (text: string) => void;
}) {
  const content = useMemo(() => decodeContent(raw), [raw]);
  const [all, setAll] = useState(false);
  const text = all ? content.text : content.text.slice(0, lettersAtFirst);
  const inApi = `/api/dead-letters/${encodeURIComponent(id)}`;
  return (
    <article class="card letter">
      <header>
        <h2>{reason}</h2>
        <span class="buttons">
          <Action
            label="Redrive"
            title="Redrive this dead letter?"
            said={said}
            run={async () => {
              await requestJson(`${inApi}/redrive`, { method: 'POST' });
              return 'The record is back on the stream. If it fails again, it appears here again.';
            }}
          >
            <p>The record is put back on the stream, unchanged.</p>
          </Action>
          <Action
            label="Delete"
            title="Delete this dead letter?"
            danger
            said={said}
            run={async () => {
              await requestJson(inApi, { method: 'DELETE' });
              return 'The dead letter is deleted.';
            }}
          >
            <p>The record is deleted permanently. Milepost keeps no other copy.</p>
          </Action>
        </span>
      </header>
      <p class="faint">
        <Moment at={at} />
        {modelId && transactionId ? (
          <>
            {' · '}
            <a href={instancePage(modelId, transactionId)}>
              {modelId}/{transactionId}
            </a>
          </>
        ) : null}
        {modelId && !transactionId ? ` · model ${modelId}` : null}
        {eventId ? ` · event ${eventId}` : null}
        {` · ${content.kind}, ${sizeText(content.size)}`}
      </p>
      <div class="scroll tall" role="group" tabIndex={0} aria-label="Content">
        <pre class="code">{text === '' ? '(empty)' : text}</pre>
      </div>
      {text.length < content.text.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show all
        </button>
      ) : null}
    </article>
  );
}
