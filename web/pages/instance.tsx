import { useMemo, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { ask, type Failure } from '../api/ask.ts';
import type { Entry, Instance, ModelDetail, Redriven } from '../api/types.ts';
import { useHistory } from '../api/use-history.ts';
import { useLive } from '../api/use-live.ts';
import { Said } from '../parts/action.tsx';
import { DiagramView } from '../parts/diagram.tsx';
import { HistoryList } from '../parts/history-list.tsx';
import { Progress, Status } from '../parts/marks.tsx';
import { Countdown, Moment } from '../parts/moment.tsx';
import { ParkedEvents } from '../parts/parked-events.tsx';
import { Command, Failed, Waiting } from '../parts/states.tsx';
import { StepView } from '../parts/step-view.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Title } from '../parts/title.tsx';
import { pathTaken } from '../pure/path-taken.ts';
import { instanceInApi, modelPage, withQuery } from '../pure/paths.ts';

/** How often a page asks whether its instance has changed, in milliseconds. */
const everyMs = 1000;

/** One instance: where it is now, what happened, what comes next. */
export function InstancePage() {
  const { model = '', transaction = '' } = useRoute().params;
  // Another instance is another page, with nothing left of this one.
  return <OneInstance key={`${model}/${transaction}`} model={model} transaction={transaction} />;
}

interface Key {
  readonly model: string;
  readonly transaction: string;
}

function OneInstance({ model, transaction }: Key) {
  const { path, query, route } = useLocation();
  const inApi = instanceInApi(model, transaction);
  const { body: instance, failure, refresh } = useLive<Instance>(inApi, everyMs);
  const { body: modelDetail } = useLive<ModelDetail>(`/api${modelPage(model)}`);
  const chosen = /^[1-9]\d{0,6}$/.test(query.step ?? '') ? Number(query.step) : undefined;
  const history = useHistory(inApi, instance?.version, chosen ?? 0);
  const [said, setSaid] = useState('');

  const { entries } = history;
  const step = Math.min(chosen ?? entries.length, entries.length);
  const choose = (next: number) => {
    const latest = next >= entries.length && !history.more;
    route(withQuery(path, { step: latest ? undefined : String(next) }), true);
  };
  const redrive = async () => {
    const answer = JSON.parse(await ask(`${inApi}/redrive`, { method: 'POST' })) as Redriven;
    refresh();
    if (answer.redriven === 0) return 'Nothing is parked any more.';
    return answer.redriven === 1
      ? '1 parked event is applied again.'
      : `${answer.redriven} parked events are applied again, in order.`;
  };

  return (
    <>
      <p class="crumbs">
        <a href="/instances">Instances</a> <span aria-hidden="true">/</span>{' '}
        <a href={withQuery('/instances', { model })}>{model}</a>
      </p>
      <Title text={transaction} />
      <Said text={said} />
      {instance ? <Summary instance={instance} /> : null}
      {!instance && failure ? (
        <Missing failure={failure} retry={refresh} of={{ model, transaction }} />
      ) : null}
      {!instance && !failure ? <Waiting lines={20} /> : null}
      {instance ? (
        <>
          {instance.parked > 0 ? (
            <ParkedEvents instance={instance} redrive={redrive} said={setSaid} />
          ) : null}
          <Now instance={instance} model={modelDetail} entries={entries} more={history.more} />
          <div class="travel">
            <HistoryList history={history} chosen={step} choose={choose} />
            <StepView
              entries={entries}
              step={step}
              more={history.more}
              choose={choose}
              loading={history.loading}
            />
          </div>
        </>
      ) : null}
    </>
  );
}

function Summary({ instance }: { readonly instance: Instance }) {
  const { status, done, progress, statusSince, startedAt, updatedAt, version, modelVersion } =
    instance;
  return (
    <div class="summary">
      <span>
        <Status status={status} done={done} />{' '}
        <span class="faint">
          since <Moment at={statusSince} />
        </span>
      </span>
      {progress === null ? null : <Progress value={progress} />}
      <span class="faint">
        Started <Moment at={startedAt} />, changed <Moment at={updatedAt} />
      </span>
      <span class="faint">
        Version <span class="number">{version}</span>, model version {modelVersion}
      </span>
    </div>
  );
}

/** Where it is in its milestones and in its model's diagram, and its timers. */
function Now({
  instance,
  model,
  entries,
  more,
}: {
  readonly instance: Instance;
  readonly model: ModelDetail | undefined;
  readonly entries: readonly Entry[];
  readonly more: boolean;
}) {
  const { milestones, eta, timers } = instance;
  const trace = useMemo(
    // Where it is now is known also while later events are not loaded.
    () => ({ ...pathTaken(model?.diagram ?? null, entries), present: instance.status }),
    [model, entries, instance.status],
  );
  return (
    <div class="now">
      {milestones.length + timers.length > 0 ? (
        <div class="side">
          {milestones.length > 0 && (
            <section class="card" aria-labelledby="milestones">
              <h2 id="milestones">Milestones</h2>
              <Timeline milestones={milestones} eta={eta} />
            </section>
          )}
          {timers.length > 0 && (
            <section class="card timers" aria-labelledby="timers">
              <h2 id="timers">Timers</h2>
              <ul>
                {timers.map(({ name, dueAt }) => (
                  <li key={name}>
                    <span>{name}</span>
                    <Countdown to={dueAt} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      ) : null}
      <section class="card grow" aria-labelledby="way">
        <h2 id="way">
          Way through the model
          {more ? <span class="faint"> (its first {entries.length} events)</span> : null}
        </h2>
        <DiagramView
          trace={trace}
          label={model?.diagram ? 'The model’s diagram' : 'The way taken'}
        />
      </section>
    </div>
  );
}

function Missing({
  failure,
  retry,
  of: { model, transaction },
}: {
  readonly failure: Failure;
  readonly retry: () => void;
  readonly of: Key;
}) {
  return (
    <Failed failure={failure} retry={retry}>
      {failure.status === 404 ? (
        <>
          <p>This page shows it as soon as its first event is there:</p>
          <Command>{`npx milepost put ${quoted(model)} ${quoted(transaction)} EVENT-TYPE`}</Command>
        </>
      ) : null}
    </Failed>
  );
}

const quoted = (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
