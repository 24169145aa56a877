import { useLocation } from 'preact-iso/router';
import type { RequestError } from '../../api/request-error.ts';
import { withQuery } from '../../pure/paths.ts';
import { exact } from '../../pure/times.ts';
import { Moment } from '../moment.tsx';
import { sentence } from '../states.tsx';

/** A banner above a past state, with links to other versions. */
export function Past({
  version,
  newest,
  at,
  step,
  failure,
}: {
  readonly version: number;
  /** The current version of the instance. */
  readonly newest: number;
  /** The time of the version; undefined until it is loaded. */
  readonly at: string | undefined;
  /** The selected step, if it is not the last step of the version. */
  readonly step: number | undefined;
  readonly failure: RequestError | undefined;
}) {
  const { path } = useLocation();
  return (
    <div class="past">
      <p role="status">
        {failure ? (
          <>{sentence(failure.message)} This page shows the current state.</>
        ) : (
          <>
            <strong>Past state:</strong> after {step ? `step ${step} within ` : null}
            version <span class="number">{version}</span> of <span class="number">{newest}</span>
            {at ? (
              <>
                , {exact(at)} (<Moment at={at} />)
              </>
            ) : null}
          </>
        )}
      </p>
      <nav class="buttons" aria-label="Versions">
        <ToVersion
          version={version - 1}
          newest={newest}
          text={`← Version ${version - 1}`}
          isButton
        />
        <ToVersion
          version={version + 1}
          newest={newest}
          text={`Version ${version + 1} →`}
          isButton
        />
        <a class="button" href={path}>
          Back to now
        </a>
      </nav>
    </div>
  );
}

/** A banner above a past state that was selected by event time. */
export function PastByEventTime({
  eventTime,
  failure,
}: {
  /** The selected event time, RFC 3339. */
  readonly eventTime: string;
  readonly failure: RequestError | undefined;
}) {
  const { path } = useLocation();
  return (
    <div class="past">
      <p role="status">
        {failure ? (
          <>{sentence(failure.message)} This page shows the current state.</>
        ) : (
          <>
            <strong>Past state:</strong> after the events that happened by {exact(eventTime)}
          </>
        )}
      </p>
      <nav class="buttons" aria-label="Versions">
        <a class="button" href={path}>
          Back to now
        </a>
      </nav>
    </div>
  );
}

/** A link to another version. Renders nothing if the version does not exist. */
export function ToVersion({
  version,
  newest,
  text,
  isButton = false,
}: {
  readonly version: number;
  readonly newest: number;
  readonly text: string;
  readonly isButton?: boolean;
}) {
  const { path } = useLocation();
  if (version < 1 || version > newest) return null;
  const to = version === newest ? path : withQuery(path, { version: String(version) });
  return (
    <a class={isButton ? 'button' : undefined} href={to}>
      {text}
    </a>
  );
}
