import type { Overview } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { Attainment } from '../parts/attainment.tsx';
import { Count, Id } from '../parts/marks.tsx';
import { RateChart } from '../parts/rate-chart.tsx';
import { Command, Empty, Failed, putCommand, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { instancesPage, modelPage } from '../pure/paths.ts';

type Row = Overview['models'][number];

/** The page that shows how many instances each model has, and how many of them need attention. */
export function OverviewPage() {
  const { body, failure, refresh, loadedAt } = useLive<Overview>('/api/overview', 2000);
  return (
    <>
      <Title text="Overview" loadedAt={loadedAt} failure={body && failure} />
      {body ? <Counts overview={body} /> : null}
      {!body && failure ? <Failed failure={failure} retry={refresh} /> : null}
      {!body && !failure ? <Waiting lines={12} /> : null}
    </>
  );
}

function Counts({
  overview: { models, instances, late, parked, deadLetters },
}: {
  readonly overview: Overview;
}) {
  const dead = { instances: deadLetters.deadLetters, more: deadLetters.more };
  return (
    <>
      <ul class="tiles">
        <Tile label="Instances" count={instances} to="/instances" />
        <Tile label="Late" count={late} to={instancesPage({ risk: 'late' })} mark="bad" />
        <Tile label="Parked" count={parked} to={instancesPage({ parked: 'true' })} mark="warn" />
        <Tile label="Dead letters" count={dead} to="/dead-letters" mark="warn" />
      </ul>
      <RateChart label="Events per minute" minutes={together(models)} isTall />
      {instances.instances === 0 && (
        <Empty title="No instances yet">
          <p>The first event creates an instance. To send an event:</p>
          <Command>{putCommand}</Command>
        </Empty>
      )}
      <div class="cards">
        {models
          .filter(isUsed)
          .toSorted(abnormalFirst)
          .map((model) => (
            <ModelCard key={model.id} model={model} />
          ))}
      </div>
      <Unused models={models.filter((model) => !isUsed(model))} />
    </>
  );
}

/** Returns true if a model has instances or parked events. */
const isUsed = ({ statuses, parked }: Row) =>
  parked.instances > 0 || statuses.some(({ instances }) => instances > 0);

const isAbnormal = ({ late, parked }: Row) => late.instances > 0 || parked.instances > 0;
const abnormalFirst = (a: Row, b: Row) => Number(isAbnormal(b)) - Number(isAbnormal(a));

/** Lists the models that have neither instances nor parked events, on one line. */
function Unused({ models }: { readonly models: readonly Row[] }) {
  if (models.length === 0) return null;
  return (
    <p class="faint">
      Without instances:{' '}
      {models.map(({ id, title }, index) => (
        <>
          {index > 0 && ', '}
          <a href={modelPage(id)}>
            <bdi>{title}</bdi>
          </a>
        </>
      ))}
    </p>
  );
}

type Minutes = Row['eventsPerMinute'];

/** Adds up the events per minute of all models. */
function together(models: readonly Row[]): Minutes {
  const all = models.map(({ eventsPerMinute }) => eventsPerMinute);
  return (all[0] ?? []).map(({ minute }, index) => ({
    minute,
    events: all.reduce((sum, minutes) => sum + (minutes[index]?.events ?? 0), 0),
  }));
}

interface Tally {
  readonly instances: number;
  readonly more: boolean;
}

function Tile({
  label,
  count: { instances, more },
  to,
  mark,
}: {
  readonly label: string;
  readonly count: Tally;
  readonly to: string;
  readonly mark?: 'bad' | 'warn';
}) {
  return (
    <li>
      <a href={to} class={instances > 0 && mark ? `tile ${mark}` : 'tile'}>
        <span class="big">
          <Count of={instances} more={more} />
        </span>
        <span>{label}</span>
      </a>
    </li>
  );
}

/** The maximum number of statuses for which a card also lists the statuses without instances. */
const allListedUpTo = 12;

function ModelCard({
  model: { id, title, statuses, late, parked, sla, eventsPerMinute },
}: {
  readonly model: Row;
}) {
  const most = Math.max(1, ...statuses.map(({ instances }) => instances));
  const listed =
    statuses.length > allListedUpTo ? statuses.filter(({ instances }) => instances > 0) : statuses;
  const others = statuses.length - listed.length;
  return (
    <article class="card" aria-labelledby={`model-${id}`}>
      <header>
        <h2 id={`model-${id}`}>
          <a href={modelPage(id)}>
            <bdi>{title}</bdi>
          </a>
        </h2>
        <span class="marks">
          {late.instances > 0 && (
            <a class="tag bad" href={instancesPage({ model: id, risk: 'late' })}>
              <Count of={late.instances} more={late.more} /> late
            </a>
          )}
          {parked.instances > 0 && (
            <a class="tag warn" href={instancesPage({ model: id, parked: 'true' })}>
              <Count of={parked.instances} more={parked.more} /> parked
            </a>
          )}
        </span>
      </header>
      <ul class="bars">
        {listed.map(({ status, instances, more }) => (
          <li key={status} class={instances === 0 ? 'none' : ''}>
            <a href={instancesPage({ model: id, status })}>
              <Id text={status} />
            </a>
            <progress aria-hidden="true" max={most} value={instances} />
            <Count of={instances} more={more} />
          </li>
        ))}
      </ul>
      {others > 0 ? (
        <p class="faint">
          {others} {others === 1 ? 'status' : 'statuses'} without instances
        </p>
      ) : null}
      <Attainment label="Deadlines met" sla={sla} />
      <RateChart label="Events per minute" minutes={eventsPerMinute} />
    </article>
  );
}
