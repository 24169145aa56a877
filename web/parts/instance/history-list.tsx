import { escapeControls } from '../../../src/common/escape.ts';
import type { Entry, Milestone } from '../../api/types.ts';
import type { History } from '../../api/use-history.ts';
import { isRecordedAtOtherTime } from '../../pure/both-times.ts';
import { byTime } from '../../pure/by-time.ts';
import { eventTitle } from '../../pure/event-title.ts';
import { countOf, locale } from '../../pure/locale.ts';
import { Id } from '../marks.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';
import { LatestEvents } from './latest-events.tsx';

/** The maximum number of events to render. Longer histories are rendered in parts. */
const drawnAtMost = 200;

/** The history, latest event first, with the selected step. */
export function HistoryList({
  history: { entries, more, loading, failure, loadMore },
  inApi,
  version,
  milestones,
  chosen,
  choose,
}: {
  readonly history: History;
  /** The path of the instance in the API. */
  readonly inApi: string;
  readonly version: number;
  readonly milestones: readonly Milestone[];
  /** The selected step, counted from 1; undefined if the latest step is selected but not loaded. */
  readonly chosen: number | undefined;
  readonly choose: (step: number) => void;
}) {
  // Render the selected step and its neighbors, or the last loaded steps.
  const center = chosen ?? entries.length;
  const end = Math.min(entries.length, Math.max(drawnAtMost, center + drawnAtMost / 2));
  const from = Math.max(0, end - drawnAtMost);
  const drawn = byTime(entries).filter(({ step }) => step > from && step <= end);
  const after = entries.length - end;
  return (
    <section class="card history" aria-labelledby="history">
      <h2 id="history">
        History{' '}
        <span class="faint number">
          {entries.length > 0 && `${entries.length}${more ? '+' : ''}`}
        </span>
      </h2>
      {failure ? <PartFailed failure={failure} retry={loadMore} /> : null}
      {more && entries.length >= drawnAtMost ? (
        <>
          <LatestEvents inApi={inApi} version={version} milestones={milestones} />
          <h3>First {entries.length.toLocaleString(locale)} events</h3>
        </>
      ) : null}
      {more && !failure ? (
        <button type="button" disabled={loading} onClick={loadMore}>
          {loading ? 'Loading…' : 'Load later events'}
        </button>
      ) : null}
      {after > 0 ? (
        <button
          type="button"
          onClick={() => choose(Math.min(entries.length, center + drawnAtMost))}
        >
          Show {countOf(after, 'later event')}
        </button>
      ) : null}
      {entries.length === 0 && !loading && !failure ? <p class="faint">No events yet.</p> : null}
      <ol class="events hinted" reversed>
        {drawn.map(({ entry, step, isOutOfOrder }) => (
          <Row
            key={step}
            entry={entry}
            title={eventTitle(entry.event, milestones)}
            before={entries[step - 2]}
            isOutOfOrder={isOutOfOrder}
            step={step}
            isChosen={step === chosen}
            choose={choose}
          />
        ))}
      </ol>
      {from > 0 ? (
        <button type="button" onClick={() => choose(from)}>
          Show {from.toLocaleString(locale)} earlier events
        </button>
      ) : null}
    </section>
  );
}

function Row({
  entry,
  title,
  before,
  isOutOfOrder,
  step,
  isChosen,
  choose,
}: {
  readonly entry: Entry;
  readonly title: string;
  /** The entry that was recorded before this one. */
  readonly before: Entry | undefined;
  readonly isOutOfOrder: boolean;
  readonly step: number;
  readonly isChosen: boolean;
  readonly choose: (step: number) => void;
}) {
  const { event, outcome, status, modelVersion, at } = entry;
  return (
    <li>
      <button
        type="button"
        class={`event ${outcome}`}
        aria-pressed={isChosen}
        onClick={() => choose(step)}
      >
        <span class="number faint">{step}</span>
        <span class="type">
          <span title={escapeControls(event.type)}>
            <Id text={title} />
          </span>
          {outcome === 'rejected' ? <span class="tag bad">rejected</span> : null}
          {isOutOfOrder ? (
            <span class="tag warn" title="A later event was recorded before this one">
              arrived late
            </span>
          ) : null}
          {isRecordedAtOtherTime(entry) ? (
            <span class="tag">
              recorded <Moment at={at} />
            </span>
          ) : null}
          {before && before.modelVersion !== modelVersion ? (
            <span class="tag">model version {modelVersion} from here on</span>
          ) : null}
        </span>
        <span class="after">
          <Id text={status} />
        </span>
        <span class="time">
          <Moment at={event.time} />
        </span>
      </button>
    </li>
  );
}
