import { useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { ModelDetail } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { ActionMessage } from '../parts/action.tsx';
import { DiagramView } from '../parts/model/diagram.tsx';
import { MilestoneAttainment } from '../parts/model/milestone-attainment.tsx';
import { ModelVersions } from '../parts/model/model-versions.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { pathTaken } from '../pure/path-taken.ts';
import { instancesPage, modelPage } from '../pure/paths.ts';
import { length } from '../pure/times.ts';

/** The page of a model: its statuses, milestones, event types and diagram. */
export function ModelPage() {
  const { id = '' } = useRoute().params;
  const { body, stale, failure, refresh } = useLive<ModelDetail>(`/api${modelPage(id)}`);
  const model = stale ? undefined : body;
  const [said, setSaid] = useState('');
  return (
    <>
      <p class="crumbs">
        <a href="/models">Models</a>
      </p>
      <Title text={model?.title ?? id} />
      <ActionMessage text={said} />
      {model ? (
        <>
          <Details model={model} />
          <ModelVersions key={id} model={id} said={setSaid} changed={refresh} />
        </>
      ) : null}
      {!model && failure ? <Failed failure={failure} retry={refresh} /> : null}
      {!model && !failure ? <Waiting lines={12} /> : null}
    </>
  );
}

function Details({
  model: { id, version, statuses, milestones, steps, eventTypes, functionArn, diagram },
}: {
  readonly model: ModelDetail;
}) {
  const trace = useMemo(() => pathTaken(diagram, []), [diagram]);
  return (
    <>
      <div class="summary">
        <code>{id}</code>
        <span class="faint">version {version}</span>
        <a href={instancesPage({ model: id })}>Show instances</a>
      </div>
      <div class="now">
        <section class="card" aria-labelledby="statuses">
          <h2 id="statuses">Statuses</h2>
          <ul class="plain">
            {statuses.map((status) => (
              <li key={status}>
                <a href={instancesPage({ model: id, status })}>{status}</a>{' '}
                <StepDuration times={steps.statuses.find((step) => step.status === status)} />
              </li>
            ))}
          </ul>
          {milestones.length > 0 ? (
            <>
              <h2>Milestones</h2>
              <ol class="plain">
                {milestones.map((milestone) => (
                  <li key={milestone.id}>
                    {milestone.label}
                    {milestone.optional ? <span class="faint"> (optional)</span> : null}{' '}
                    <StepDuration times={steps.milestones.find(({ to }) => to === milestone.id)} />
                  </li>
                ))}
              </ol>
            </>
          ) : null}
          <p class="faint">
            {steps.statuses.length + steps.milestones.length > 0
              ? 'Median and 90th percentile: the time in each status, and from one milestone to the next.'
              : 'The durations of steps appear here after instances complete them.'}
          </p>
          <h2>Event types</h2>
          <ul class="plain">
            {eventTypes.map((type) => (
              <li key={type}>
                <code>{type}</code>
              </li>
            ))}
          </ul>
          <h2>Lambda function</h2>
          <p class="arn">
            <code>{functionArn}</code>
          </p>
          <MilestoneAttainment model={id} milestones={milestones} />
        </section>
        <section class="card grow" aria-labelledby="diagram">
          <h2 id="diagram">Diagram</h2>
          {diagram ? (
            <DiagramView trace={trace} label="Model diagram" />
          ) : (
            <p class="faint">
              This model has no diagram. To show the transitions between statuses, add{' '}
              <code>diagram</code> to its definition.
            </p>
          )}
        </section>
      </div>
    </>
  );
}

/** The median and the 90th percentile of a step's duration, if known. */
function StepDuration({
  times,
}: {
  readonly times:
    | { readonly count: number; readonly p50: number; readonly p90: number }
    | undefined;
}) {
  if (!times) return null;
  const { count, p50, p90 } = times;
  return (
    <span class="took" title={`observed ${count.toLocaleString()} times`}>
      <span class="hidden">took </span>
      {length(p50)} · {length(p90)}
    </span>
  );
}
