import { useMemo, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { RequestError } from '../api/request-error.ts';
import { requestJson } from '../api/request-json.ts';
import type { Entry, Instance, ModelDetail, PastInstance, Redriven } from '../api/types.ts';
import { type History, useHistory } from '../api/use-history.ts';
import { useLive } from '../api/use-live.ts';
import { ActionMessage } from '../parts/action.tsx';
import { CustomerLinks } from '../parts/instance/customer-links.tsx';
import { Deadlines } from '../parts/instance/deadlines.tsx';
import { HistoryList } from '../parts/instance/history-list.tsx';
import { ParkedEvents } from '../parts/instance/parked-events.tsx';
import { Past, PastByEventTime, ToVersion } from '../parts/instance/past.tsx';
import { StateView, StepView } from '../parts/instance/step-view.tsx';
import { TimeTravel } from '../parts/instance/time-travel.tsx';
import { Timeline } from '../parts/instance/timeline.tsx';
import { Id, Keys, Progress, Status } from '../parts/marks.tsx';
import { DiagramView } from '../parts/model/diagram.tsx';
import { Countdown, Moment } from '../parts/moment.tsx';
import { Command, Failed, PartFailed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { chosenStep, momentIn } from '../pure/chosen-step.ts';
import { countOf } from '../pure/locale.ts';
import { pathTaken } from '../pure/path-taken.ts';
import { instanceInApi, modelPage, withQuery } from '../pure/paths.ts';

/** The polling interval of an instance, in milliseconds. */
const everyMs = 1000;

/** The page of an instance: its current status, its history, and the expected next steps. */
export function InstancePage() {
  const { model = '', transaction = '' } = useRoute().params;
  // The key makes Preact reset the component's state when the instance changes.
  return <OneInstance key={`${model}/${transaction}`} model={model} transaction={transaction} />;
}

interface Key {
  readonly model: string;
  readonly transaction: string;
}

function OneInstance({ model, transaction }: Key) {
  const { path, query, route } = useLocation();
  const inApi = instanceInApi(model, transaction);
  const { body: instance, failure, refresh, loadedAt } = useLive<Instance>(inApi, everyMs);
  const {
    body: modelDetail,
    failure: modelFailure,
    refresh: refreshModel,
  } = useLive<ModelDetail>(`/api${modelPage(model)}`);
  const chosen = momentIn(query);
  const history = useHistory(inApi, instance?.version, chosen);
  const [said, setSaid] = useState('');

  const { entries } = history;
  const step = chosenStep(chosen, entries, history.more);
  const { eventTime } = chosen;
  const version =
    eventTime === undefined
      ? (chosen.version ?? (chosen.step && step && entries[step - 1]?.version))
      : undefined;
  // True if the selected step is not the last step of its version.
  const within = version !== undefined && step !== undefined && entries[step]?.version === version;
  const isPastVersion =
    version !== undefined && instance && (version !== instance.version || within);
  const isPastWanted = eventTime !== undefined || isPastVersion;
  const past = useLive<PastInstance>(
    isPastWanted
      ? withQuery(inApi, eventTime ? { asOfEventTime: eventTime } : { version: `${version}` })
      : undefined,
  );
  const isPast = isPastWanted && !past.failure;
  // Show the current state until the past state is loaded, or if it cannot be loaded.
  const shown = isPast ? (past.body ?? instance) : instance;
  const isComing = isPast === true && (past.stale || !past.body);
  const asOf = isPast && !isComing ? past.body?.asOf : undefined;
  const seen = {
    isComing,
    step: isPast ? (step ?? entries.length) : undefined,
    within: isPast && within ? entries[step - 1] : undefined,
  };
  const choose = (next: number) => {
    const entry = next >= entries.length && !history.more ? undefined : entries[next - 1];
    const moment = entry && { version: `${entry.version}`, step: `${next}` };
    route(withQuery(path, moment ?? {}), true);
  };
  const redrive = async () => {
    const answer = JSON.parse(
      await requestJson(`${inApi}/redrive`, { method: 'POST' }),
    ) as Redriven;
    refresh();
    if (answer.redriven === 0) return 'There are no more parked events.';
    return answer.redriven === 1
      ? 'Redriving 1 parked event. If it still fails, it stays parked.'
      : `Redriving ${answer.redriven} parked events, in order. Events that still fail stay parked.`;
  };

  return (
    <>
      <p class="crumbs">
        <a href="/instances">Instances</a> <span aria-hidden="true">/</span>{' '}
        <a href={withQuery('/instances', { model })}>
          <Id text={modelDetail?.title ?? model} />
        </a>
      </p>
      <Title text={transaction} loadedAt={loadedAt} failure={instance && failure} />
      <ActionMessage text={said} />
      {eventTime === undefined ? null : (
        <PastByEventTime eventTime={eventTime} failure={past.failure} />
      )}
      {isPastVersion ? (
        <Past
          version={version}
          newest={instance.version}
          at={asOf && 'at' in asOf ? asOf.at : undefined}
          step={within ? step : undefined}
          failure={past.failure}
        />
      ) : null}
      {shown ? <Summary instance={shown} {...seen} /> : null}
      {!instance && failure ? (
        <Missing
          failure={failure}
          retry={refresh}
          of={{ model, transaction }}
          isModelUnknown={modelFailure?.status === 404}
        />
      ) : null}
      {!instance && !failure ? <Waiting lines={20} /> : null}
      {instance && shown ? (
        <>
          {instance.parked > 0 && !isPast ? (
            <ParkedEvents
              instance={instance}
              isModelRemoved={modelFailure?.status === 404}
              redrive={redrive}
              said={setSaid}
            />
          ) : null}
          {instance.version === 0 ? null : (
            <Now
              instance={shown}
              model={modelDetail}
              modelFailure={
                // A removed model has no diagram.
                modelDetail || modelFailure?.status === 404 ? undefined : modelFailure
              }
              refreshModel={refreshModel}
              history={history}
              hasPath={!isPast || eventTime === undefined}
              {...seen}
            />
          )}
          {isPast ? null : <Deadlines instance={instance} inApi={inApi} />}
          {instance.version === 0 ? null : (
            <>
              <TimeTravel inApi={inApi} said={setSaid} />
              <div class="travel">
                <HistoryList
                  history={history}
                  inApi={inApi}
                  version={instance.version}
                  milestones={instance.milestones}
                  chosen={step}
                  choose={choose}
                />
                {step === undefined ? (
                  <StateView
                    title={isPast ? 'State at this time' : 'Current state'}
                    state={shown.state}
                  />
                ) : (
                  <StepView
                    entries={entries}
                    step={step}
                    more={history.more}
                    choose={choose}
                    loading={history.loading}
                  />
                )}
              </div>
            </>
          )}
          <CustomerLinks model={model} transaction={transaction} said={setSaid} />
        </>
      ) : null}
    </>
  );
}

interface Shown {
  /** The instance in its current or a past state. */
  readonly instance: Instance | PastInstance;
  /** The step whose result is shown; undefined for the current state. */
  readonly step: number | undefined;
  /**
   * The history entry of the step if it is not the last entry of its version; milestones and timers are unknown for
   * such a step.
   */
  readonly within: Entry | undefined;
  /** True while the requested version is loading and the previous one is still shown. */
  readonly isComing: boolean;
}

function Summary({ instance, step, within, isComing }: Shown) {
  const { status, done, progress, statusSince, startedAt, updatedAt, version, modelVersion } =
    instance;
  const { keys, reference, transaction } = instance;
  const parked = 'parked' in instance ? instance.parked : 0;
  return (
    <div class={isComing ? 'summary stale' : 'summary'}>
      {within ? (
        <Status status={within.status} />
      ) : (
        <span>
          <Status status={status} done={done} />{' '}
          <span class="faint">
            set <Moment at={statusSince} />
          </span>
        </span>
      )}
      {parked > 0 && step === undefined ? (
        <span class="tag bad">blocked: {countOf(parked, 'event')} parked</span>
      ) : null}
      {progress === null || within ? null : <Progress value={progress} />}
      <span class="faint">
        {startedAt === null ? (
          'Not started: no event applied yet'
        ) : (
          <>
            Started <Moment at={startedAt} />
          </>
        )}
        , updated <Moment at={updatedAt} />
      </span>
      {reference === undefined || reference === transaction ? null : (
        <span class="faint">
          Reference <Id text={reference} />
        </span>
      )}
      <Keys keys={keys} />
      {version === 0 ? null : (
        <span class="faint">
          Version <span class="number">{version}</span>, model version {modelVersion}
        </span>
      )}
      {step === undefined ? (
        <ToVersion version={version - 1} newest={version} text="← Earlier version" />
      ) : null}
    </div>
  );
}

/** Renders the milestones, the timers, and the path through the model's diagram, now or in the past. */
function Now({
  instance,
  step,
  within,
  isComing,
  model,
  modelFailure,
  refreshModel,
  history: { entries, more, loading },
  hasPath,
}: Shown & {
  readonly model: ModelDetail | undefined;
  /** The reason why the model, and therefore its diagram, could not be loaded; undefined if there is none. */
  readonly modelFailure: RequestError | undefined;
  readonly refreshModel: () => void;
  readonly history: History;
  /**
   * False if the history does not show how the instance reached this state, because the state was selected by event
   * time.
   */
  readonly hasPath: boolean;
}) {
  const { milestones, timers } = instance;
  const eta = ('eta' in instance && instance.eta) || [];
  const parked = 'parked' in instance ? instance.parked : 0;
  // Use the instance's status, which is known even if later events are not loaded.
  const present = within?.status ?? instance.status;
  const trace = useMemo(
    () => ({
      ...pathTaken(model?.diagram ?? null, hasPath ? entries.slice(0, step) : []),
      present,
    }),
    [model, entries, step, present, hasPath],
  );
  return (
    <div class={`now${step ? ' then' : ''}${isComing ? ' stale' : ''}`} aria-busy={isComing}>
      {milestones.length + timers.length > 0 ? (
        <div class="side">
          {milestones.length > 0 && (
            <section class="card" aria-labelledby="milestones">
              <h2 id="milestones">Milestones</h2>
              {within ? <Later /> : <Timeline milestones={milestones} eta={eta} />}
            </section>
          )}
          {timers.length > 0 && (
            <section class="card timers" aria-labelledby="timers">
              <h2 id="timers">Timers</h2>
              {within ? (
                <Later />
              ) : (
                <ul>
                  {timers.map(({ name, dueAt }) => (
                    <li key={name}>
                      <Id text={name} />
                      {step ? (
                        <Moment at={dueAt} />
                      ) : (
                        <Countdown to={dueAt} due={parked > 0 ? 'waiting for a redrive' : 'due'} />
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </section>
          )}
        </div>
      ) : null}
      {trace.nodes.length > 0 || loading || modelFailure ? (
        <section class="card grow" aria-labelledby="path">
          <h2 id="path">
            Path through the model
            {more && !step ? <span class="faint"> (first {entries.length} events)</span> : null}
          </h2>
          {modelFailure ? <PartFailed failure={modelFailure} retry={refreshModel} /> : null}
          <DiagramView trace={trace} label={model?.diagram ? 'Model diagram' : 'Path'} />
        </section>
      ) : null}
    </div>
  );
}

/** A placeholder for milestones and timers, which are stored for each version but not for each step. */
const Later = () => <p class="faint">Available only for the last step of this version.</p>;

function Missing({
  failure,
  retry,
  of: { model, transaction },
  isModelUnknown,
}: {
  readonly failure: RequestError;
  readonly retry: () => void;
  readonly of: Key;
  /** True if no model has this id, so an event would become a dead letter. */
  readonly isModelUnknown: boolean;
}) {
  return (
    <Failed failure={failure} retry={retry}>
      {failure.status === 404 && !isModelUnknown ? (
        <>
          <p>The instance appears here after its first event. To send an event:</p>
          <Command>{`npx milepost put ${quoted(model)} ${quoted(transaction)} EVENT-TYPE`}</Command>
        </>
      ) : null}
    </Failed>
  );
}

const quoted = (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
