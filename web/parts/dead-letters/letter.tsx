import { useMemo, useState } from 'preact/hooks';
import { requestJson } from '../../api/request-json.ts';
import type { DeadLetter, LetterSummary } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { decodeContent, sizeText } from '../../pure/content.ts';
import { instancePage } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Id } from '../marks.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';

/** The number of characters that are shown until the user selects "Show all". */
const lettersAtFirst = 10_000;

/** A dead letter that the user can open to see its content and actions. */
export function Letter({
  letter: { id, at, modelId, transactionId, eventId, parked },
  isOpen,
  said,
}: {
  readonly letter: LetterSummary;
  /** True if the dead letter is initially open. */
  readonly isOpen: boolean;
  readonly said: (text: string) => void;
}) {
  const [opened, setOpened] = useState(isOpen);
  const name = modelId && transactionId && <Id text={`${modelId}/${transactionId}`} />;
  return (
    <div class="linked">
      <details
        class="letter"
        open={opened}
        onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      >
        <summary>
          {name}
          {eventId ? (
            <>
              {' '}
              event <Id text={eventId} />{' '}
            </>
          ) : (
            `${name ? '' : 'Record'} `
          )}
          <span class="faint">
            <Moment at={at} />
          </span>
        </summary>
        {opened && (
          <Content
            inApi={`/api/dead-letters/${encodeURIComponent(id)}`}
            parked={parked}
            said={said}
          />
        )}
      </details>
      {/* Link only parked events, because other dead letters may have no instance. Keep the link out of the summary,
      because screen readers read a summary as a button, which cannot contain a link. */}
      {name && parked ? (
        <a href={instancePage(modelId, transactionId)}>
          Show instance<span class="hidden"> {name}</span>
        </a>
      ) : null}
    </div>
  );
}

function Content({
  inApi,
  parked,
  said,
}: {
  readonly inApi: string;
  readonly parked: boolean;
  readonly said: (text: string) => void;
}) {
  const { body, failure, refresh } = useLive<DeadLetter>(inApi);
  const content = useMemo(() => decodeContent(body?.raw ?? ''), [body]);
  const [all, setAll] = useState(false);
  const text = all ? content.text : content.text.slice(0, lettersAtFirst);
  if (!body && failure) return <PartFailed failure={failure} retry={refresh} />;
  if (!body) return <p class="faint">Loading…</p>;
  return (
    <>
      <p class="faint">
        {content.kind}, {sizeText(content.size)}
      </p>
      <div class="scroll tall" role="group" tabIndex={0} aria-label="Content">
        <pre class="code">{text === '' ? '(empty)' : text}</pre>
      </div>
      {text.length < content.text.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show all
        </button>
      ) : null}
      <span class="buttons">
        <Action
          label="Redrive"
          title="Redrive this dead letter?"
          said={said}
          run={async () => {
            await requestJson(`${inApi}/redrive`, { method: 'POST' });
            return parked
              ? 'Redriving the parked events of the instance. Events that still fail reappear here.'
              : 'The record is back on the stream. If it is rejected again, it reappears here.';
          }}
        >
          <p>
            {parked
              ? 'The model processes all parked events of the instance again, in order. Events that still fail are parked again.'
              : 'The record is put back on the stream, unchanged.'}
          </p>
        </Action>
        <Action
          label="Delete"
          title="Delete this dead letter?"
          danger
          said={said}
          run={async () => {
            await requestJson(inApi, { method: 'DELETE' });
            return 'Deleted the dead letter.';
          }}
        >
          <p>
            The dead letter will be deleted, and you cannot restore it. Its record remains on the
            stream until the retention period ends.
            {parked ? ' The instance will continue without the event.' : null}
          </p>
        </Action>
      </span>
    </>
  );
}
