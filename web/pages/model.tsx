import { useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { ModelDetail } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { ActionMessage } from '../parts/action.tsx';
import { Id } from '../parts/marks.tsx';
import { DiagramView } from '../parts/model/diagram.tsx';
import { MilestoneAttainment } from '../parts/model/milestone-attainment.tsx';
import { ModelVersions } from '../parts/model/model-versions.tsx';
import { StepDurations } from '../parts/model/step-durations.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { pathTaken } from '../pure/path-taken.ts';
import { instancesPage, modelPage } from '../pure/paths.ts';

/** The page of a model, with its statuses, milestones, event types, and diagram. */
export function ModelPage() {
  const { id = '' } = useRoute().params;
  const { body, stale, failure, refresh, loadedAt } = useLive<ModelDetail>(`/api${modelPage(id)}`);
  const model = stale ? undefined : body;
  const [said, setSaid] = useState('');
  return (
    <>
      <p class="crumbs">
        <a href="/models">Models</a>
      </p>
      <Title text={model?.title ?? id} loadedAt={loadedAt} />
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

function Details({ model }: { readonly model: ModelDetail }) {
  const { id, version, statuses, milestones, eventTypes, functionArn, diagram } = model;
  const trace = useMemo(() => pathTaken(diagram, []), [diagram]);
  return (
    <>
      <div class="summary">
        <code>{id}</code>
        <span class="faint">version {version}</span>
        <a href={instancesPage({ model: id })}>Show instances</a>
      </div>
      <div class="now">
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
        <section class="card" aria-labelledby="statuses">
          <h2 id="statuses">Statuses</h2>
          <ul class="plain">
            {statuses.map((status) => (
              <li key={status}>
                <a href={instancesPage({ model: id, status })}>
                  <Id text={status} />
                </a>
              </li>
            ))}
          </ul>
          {milestones.length > 0 ? (
            <>
              <h2>Milestones</h2>
              <ol class="plain">
                {milestones.map((milestone) => (
                  <li key={milestone.id}>
                    <bdi>{milestone.label}</bdi>
                    {milestone.optional ? <span class="faint"> (optional)</span> : null}
                  </li>
                ))}
              </ol>
            </>
          ) : null}
          <MilestoneAttainment model={id} milestones={milestones} />
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
        </section>
      </div>
      <StepDurations model={model} />
    </>
  );
}
