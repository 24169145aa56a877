import { useMemo, useState } from 'preact/hooks';
import { escapeControls } from '../../../src/common/escape.ts';
import type { Entry } from '../../api/types.ts';
import { exact } from '../../pure/times.ts';
import { whoSet } from '../../pure/who-set.ts';
import { Changes, Json, useDiff } from '../json.tsx';
import { Id } from '../marks.tsx';
import { Moment } from '../moment.tsx';

const nothing = {};

/** A step of a history: its event, its changes, and the state after it. */
export function StepView({
  entries,
  step,
  more,
  loading,
  choose,
}: {
  readonly entries: readonly Entry[];
  /** The step, counted from 1. */
  readonly step: number;
  readonly more: boolean;
  readonly loading: boolean;
  readonly choose: (step: number) => void;
}) {
  const entry = entries[step - 1];
  const changes = useDiff(entries[step - 2]?.state ?? nothing, entry?.state ?? nothing);
  const [asked, setAsked] = useState(false);
  const setBy = useMemo(() => {
    const states = entries.slice(0, step).map((each) => each.state);
    return asked && states.length > 0 ? whoSet(states, step) : undefined;
  }, [asked, entries, step]);
  if (!entry && !loading) return null;
  if (!entry)
    return (
      <section class="card step" aria-label="Step">
        <p class="faint">Loading…</p>
      </section>
    );
  const isLatest = step === entries.length && !more;
  const { event, outcome, reason, status, at, state } = entry;
  return (
    <section class="card step" aria-labelledby="step">
      <header>
        <h2 id="step">
          Step {step} of {entries.length}
          {more ? '+' : ''}
          {isLatest ? <span class="faint"> (now)</span> : null}
        </h2>
        <span class="buttons">
          <button type="button" disabled={step <= 1} onClick={() => choose(step - 1)}>
            ← Earlier
          </button>
          <button type="button" disabled={step >= entries.length} onClick={() => choose(step + 1)}>
            Later →
          </button>
          <button
            type="button"
            disabled={step === entries.length}
            onClick={() => choose(entries.length)}
          >
            {more ? 'Last loaded' : 'Now'}
          </button>
        </span>
      </header>
      <dl class="facts">
        <dt>Event</dt>
        <dd>
          <code>
            <Id text={event.type} />
          </code>
        </dd>
        <dt>Outcome</dt>
        <dd>
          {outcome === 'rejected' ? <span class="tag bad">rejected</span> : 'applied'}
          {reason ? (
            <>
              : <Id text={reason} />
            </>
          ) : null}
        </dd>
        <dt>Status after</dt>
        <dd>
          <Id text={status} />
        </dd>
        <dt>Happened</dt>
        <dd>
          {exact(event.time)} (<Moment at={event.time} />)
        </dd>
        <dt>Recorded</dt>
        <dd>
          {exact(at)} (<Moment at={at} />)
        </dd>
        <dt>Event id</dt>
        <dd>
          <code>
            <Id text={event.id} />
          </code>{' '}
          <span class="faint">from</span>{' '}
          <code>
            <Id text={event.source} />
          </code>
        </dd>
      </dl>
      <h3>Event data</h3>
      <Json key={`data-${step}`} label="Event data" value={event.data} />
      <h3>Changes in this step</h3>
      <Changes changes={changes} />
      <div class="asking">
        <h3>State after this step</h3>
        <button type="button" aria-pressed={asked} onClick={() => setAsked(!asked)}>
          Explain this state
        </button>
      </div>
      <Json
        key={`state-${step}`}
        label="State after this step"
        value={state}
        changes={changes}
        note={
          setBy &&
          ((field) => {
            const by = setBy.get(field);
            const its = by === undefined ? undefined : entries[by - 1];
            return its && <SetBy entry={its} step={by!} isThis={by === step} choose={choose} />;
          })
        }
      />
    </section>
  );
}

/** The state of an instance whose latest steps are not loaded. */
export function StateView({ title, state }: { readonly title: string; readonly state: unknown }) {
  return (
    <section class="card step" aria-labelledby="step">
      <h2 id="step">{title}</h2>
      <Json label={title} value={state} />
    </section>
  );
}

/** A button that names the step that set a field, and selects that step. */
function SetBy({
  entry: { event },
  step,
  isThis,
  choose,
}: {
  readonly entry: Entry;
  readonly step: number;
  readonly isThis: boolean;
  readonly choose: (step: number) => void;
}) {
  return (
    <button
      type="button"
      class="by"
      title={`${escapeControls(event.id)} from ${escapeControls(event.source)}, ${exact(event.time)}`}
      onClick={() => choose(step)}
    >
      set by {isThis ? 'this step' : `step ${step}`}
      <span class="more">
        , <Id text={event.type} />, <Moment at={event.time} />
      </span>
    </button>
  );
}
