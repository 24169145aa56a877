import type { Model, ModelPage } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { Id } from '../parts/marks.tsx';
import { Empty, Failed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { countOf } from '../pure/locale.ts';
import { instancesPage, modelPage } from '../pure/paths.ts';

/** The page with the list of models. */
export function ModelsPage() {
  const { body, failure, refresh, loadedAt } = useLive<ModelPage>('/api/models');
  return (
    <>
      <Title text="Models" loadedAt={loadedAt} />
      {body && body.models.length > 0 ? (
        <div class="cards">
          {body.models.map((model) => (
            <Card key={model.id} model={model} />
          ))}
        </div>
      ) : null}
      {body && body.models.length === 0 ? (
        <Empty title="No models">
          <p>
            Add a folder with a <code>lambda.ts</code> to <code>models/</code>, as in the README. On
            your machine, restart the service if it does not load the model automatically. In AWS,
            deploy the CDK app.
          </p>
        </Empty>
      ) : null}
      {!body && failure ? <Failed failure={failure} retry={refresh} /> : null}
      {!body && !failure ? <Waiting lines={12} /> : null}
    </>
  );
}

function Card({ model: { id, title, version, statuses, milestones } }: { readonly model: Model }) {
  return (
    <article class="card" aria-labelledby={`model-${id}`}>
      <header>
        <h2 id={`model-${id}`}>
          <a href={modelPage(id)}>
            <bdi>{title}</bdi>
          </a>
        </h2>
        <span class="faint">version {version}</span>
      </header>
      <p class="faint">
        <code>{id}</code>
        {milestones.length > 0 ? ` · ${countOf(milestones.length, 'milestone')}` : null}
        {' · '}
        <a href={instancesPage({ model: id })}>instances</a>
      </p>
      <ul class="chips">
        {statuses.map((status) => (
          <li key={status} class="status">
            <Id text={status} />
          </li>
        ))}
      </ul>
    </article>
  );
}
