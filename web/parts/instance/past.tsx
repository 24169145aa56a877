import { useLocation } from 'preact-iso/router';
import type { RequestError } from '../../api/request-json.ts';
import { withQuery } from '../../pure/paths.ts';
import { exact } from '../../pure/times.ts';
import { Moment } from '../moment.tsx';

/** Says that what is below is the past, which one, and how to get on from there. */
export function Past({
  version,
  newest,
  at,
  step,
  failure,
}: {
  readonly version: number;
  /** The version that the instance has now. */
  readonly newest: number;
  /** When that version was made; undefined: not known yet. */
  readonly at: string | undefined;
  /** The event of that version after which it is shown, where others were applied together with it. */
  readonly step: number | undefined;
  readonly failure: RequestError | undefined;
}) {
  const { path } = useLocation();
  return (
    <div class="past">
      <p role="status">
        {failure ? (
          failure.message
        ) : (
          <>
            <strong>This is the past:</strong> as it was after{' '}
            {step ? `step ${step}, one of several that made ` : null}version{' '}
            <span class="number">{version}</span> of <span class="number">{newest}</span>
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

/** A link to another version, if the instance has it. */
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
