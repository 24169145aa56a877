import { useLocation } from 'preact-iso/router';
import type { Entry, HistoryPage, Milestone } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { eventTitle } from '../../pure/event-title.ts';
import { withQuery } from '../../pure/paths.ts';
import { Json } from '../json.tsx';
import { Id } from '../marks.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';

/** The number of events to list. */
const limit = '10';

/** The latest events of an instance whose later history is not loaded, latest event first. */
export function LatestEvents({
  inApi,
  version,
  milestones,
}: {
  /** The path of the instance in the API. */
  readonly inApi: string;
  readonly version: number;
  readonly milestones: readonly Milestone[];
}) {
  // The fragment, which is not sent to the API, changes with the version so that a new version reloads the events.
  const path = `${withQuery(`${inApi}/history`, { order: 'newest', limit })}#${version}`;
  const { body, failure, refresh } = useLive<HistoryPage>(path);
  return (
    <>
      <h3>Latest events</h3>
      {!body && failure ? <PartFailed failure={failure} retry={refresh} /> : null}
      {body?.entries.map((entry) => (
        <LatestEvent
          key={`${entry.event.source} ${entry.event.id}`}
          entry={entry}
          title={eventTitle(entry.event, milestones)}
        />
      ))}
    </>
  );
}

function LatestEvent({
  entry: { event, outcome, reason, status, version },
  title,
}: {
  readonly entry: Entry;
  readonly title: string;
}) {
  const { path } = useLocation();
  return (
    <details class="letter">
      <summary>
        <Id text={title} /> {outcome === 'rejected' ? <span class="tag bad">rejected</span> : null}{' '}
        <span class="faint">
          <Id text={status} />, <Moment at={event.time} />
        </span>
      </summary>
      <p class="faint">
        <Id text={`${event.id} from ${event.source}${reason ? `: ${reason}` : ''}`} />
      </p>
      <Json label="Event data" value={event.data} />
      <a href={withQuery(path, { version: `${version}` })}>Show version {version}</a>
    </details>
  );
}
