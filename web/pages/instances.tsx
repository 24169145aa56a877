import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { InstancePage, Model, Summary } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { useModelTitles } from '../api/use-model-titles.ts';
import { ActionMessage } from '../parts/action.tsx';
import { Parked, Risk } from '../parts/attention.tsx';
import { BulkActions } from '../parts/bulk/bulk-actions.tsx';
import { Id, Keys, Progress, Status } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pager } from '../parts/pager.tsx';
import { Command, Empty, Failed, putCommand, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { countOf } from '../pure/locale.ts';
import { instancePage, instancesPage, withQuery } from '../pure/paths.ts';

type Filters = Readonly<
  Record<'model' | 'status' | 'q' | 'key' | 'risk' | 'parked' | 'order', string | undefined>
>;

/** The pause in typing after which the search starts, in milliseconds. */
const debounceMs = 250;

/** The page with a filtered list of instances. By default, the most recently changed instance comes first. */
export function InstancesPage() {
  const { query } = useLocation();
  const { model, status, q, key, late, parked, order, cursor } = query;
  const risk = late === 'true' ? 'late' : query.risk;
  const filters = { model, status, q, key, risk, parked, order };
  const path = withQuery('/api/instances', { ...filters, cursor, limit: '25' });
  // Only the first page polls so that rows do not move between pages while the user reads.
  const { body, failure, stale, refresh, loadedAt } = useLive<InstancePage>(
    path,
    cursor ? undefined : 1000,
  );
  const { models, titleOf } = useModelTitles();
  const [said, setSaid] = useState('');
  return (
    <>
      <Title text="Instances" loadedAt={loadedAt} failure={body && failure} />
      <ActionMessage text={said} />
      <FilterForm filters={filters} models={models} />
      {!body && failure ? (
        <Failed failure={failure} retry={refresh}>
          {failure.status === 400 ? (
            <p>
              <a href="/instances">Show all instances</a>
            </p>
          ) : null}
        </Failed>
      ) : null}
      {!body && !failure ? <Waiting lines={25} /> : null}
      {body ? (
        <div class={stale ? 'stale' : ''} aria-busy={stale}>
          <div class="list-head">
            {body.total === undefined ? <span /> : <Total of={body.total} />}
            {body.instances.length > 0 ? <BulkActions filters={filters} said={setSaid} /> : null}
          </div>
          {body.instances.length > 0 ? (
            <Rows instances={body.instances} models={models} titleOf={titleOf} />
          ) : null}
          {body.instances.length === 0 ? (
            <None filters={filters} isIncomplete={body.cursor !== undefined} />
          ) : null}
          <Pager next={body.cursor} />
        </div>
      ) : null}
    </>
  );
}

function Total({ of }: { readonly of: number }) {
  return <p class="total">{countOf(of, 'instance')}</p>;
}

function FilterForm({
  filters,
  models,
}: {
  readonly filters: Filters;
  readonly models: readonly Model[];
}) {
  const { route } = useLocation();
  const [typed, setTyped] = useState<Searched>({});
  const timer = useRef(0);
  // Update the search fields when the user navigates back or forward.
  useEffect(() => setTyped({ q: filters.q, key: filters.key }), [filters.q, filters.key]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const chosen = models.filter(({ id }) => !filters.model || id === filters.model);
  const statuses = [...new Set([...chosen.flatMap((each) => each.statuses), 'Parked'])];
  if (filters.status && !statuses.includes(filters.status)) statuses.unshift(filters.status);
  const ids = models.map(({ id }) => id);
  if (filters.model && !ids.includes(filters.model)) ids.unshift(filters.model);
  const choose = (change: Partial<Filters>) => {
    window.clearTimeout(timer.current);
    route(instancesPage({ ...filters, ...typed, ...change }));
  };
  const search = (change: Searched) => {
    setTyped({ ...typed, ...change });
    window.clearTimeout(timer.current);
    // Do not search for an incomplete business key, because the search would find nothing.
    if (change.key && !/^[^:]+:./.test(change.key)) return;
    const go = () => route(instancesPage({ ...filters, ...typed, ...change }), true);
    timer.current = window.setTimeout(go, debounceMs);
  };
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        choose({});
      }}
    >
      <Search
        label="Transaction id starts with"
        value={typed.q}
        change={(q) => search({ q: q || undefined })}
      />
      <Search
        label="Business key"
        value={typed.key}
        placeholder="customer:42"
        change={(key) => search({ key: key || undefined })}
      />
      <Choice
        label="Model"
        value={filters.model}
        values={ids}
        texts={Object.fromEntries(models.map(({ id, title }) => [id, title]))}
        choose={(model) => choose({ model, status: undefined })}
      />
      <Choice
        label="Status"
        value={filters.status}
        values={statuses}
        choose={(status) => choose({ status })}
      />
      <Choice
        label="Deadlines"
        value={filters.risk}
        values={['late', 'at-risk']}
        texts={{ late: 'Late', 'at-risk': 'At risk' }}
        choose={(risk) => choose({ risk })}
      />
      <Choice
        label="Order"
        isWide
        value={filters.order}
        all="Latest change first"
        values={['oldest']}
        texts={{ oldest: oldestFirst(filters) }}
        choose={(order) => choose({ order })}
      />
      <span class="checks">
        <label class="check">
          <input
            type="checkbox"
            checked={filters.parked === 'true'}
            onChange={({ currentTarget }) =>
              choose({ parked: currentTarget.checked ? 'true' : undefined })
            }
          />
          <span>Has parked events</span>
        </label>
      </span>
    </form>
  );
}

/** The text in the search fields. While the user types, the address still contains the earlier text. */
type Searched = Partial<Pick<Filters, 'q' | 'key'>>;

function Search({
  label,
  value = '',
  placeholder,
  change,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly change: (text: string) => void;
}) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        maxLength={300}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}

/** Returns the label of the order `oldest`, which depends on the filters. */
function oldestFirst({ risk, parked }: Filters): string {
  if (parked) return 'Longest parked first';
  if (risk === 'late') return 'Longest late first';
  return risk === 'at-risk' ? 'Longest at risk first' : 'Longest unchanged first';
}

/** A select element with the given values. The empty value selects all values or the default. */
function Choice({
  label,
  value = '',
  values,
  texts = {},
  all = 'All',
  isWide = false,
  choose,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  /** The labels of values, where the label differs from the value. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The label of the empty value. */
  readonly all?: string;
  readonly isWide?: boolean;
  readonly choose: (value: string) => void;
}) {
  return (
    <label class={isWide ? 'wide' : ''}>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{all}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {texts[each] ?? each}
          </option>
        ))}
      </select>
    </label>
  );
}

function Rows({
  instances,
  models,
  titleOf,
}: {
  readonly instances: readonly Summary[];
  readonly models: readonly Model[];
  readonly titleOf: (model: string) => string;
}) {
  return (
    <table class="instances">
      <thead>
        <tr>
          <th scope="col">Transaction</th>
          <th scope="col">Model</th>
          <th scope="col">Status</th>
          <th scope="col">Progress</th>
          <th scope="col">Updated</th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {instances.map(
          ({
            model,
            transaction,
            keys,
            status,
            done,
            progress,
            parked,
            risk,
            updatedAt,
            startedAt,
          }) => (
            <tr key={`${model}/${transaction}`}>
              <th scope="row">
                <a href={instancePage(model, transaction)}>
                  <Id text={transaction} />
                </a>
                <Keys keys={keys} />
              </th>
              <td class="model" title={titleOf(model)}>
                <bdi>{titleOf(model)}</bdi>
              </td>
              <td>
                <Status status={status} done={done} />{' '}
                <Risk
                  risk={risk}
                  milestones={models.find(({ id }) => id === model)?.milestones ?? []}
                />{' '}
                <Parked count={parked} />
              </td>
              <td>
                <Progress value={progress} />
              </td>
              <td class="time">
                <Moment at={updatedAt} />
              </td>
              <td class="time started">
                {startedAt === null ? 'not yet' : <Moment at={startedAt} />}
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

function None({
  filters,
  isIncomplete,
}: {
  readonly filters: Filters;
  /** True if the search stopped early, so later pages can contain instances. */
  readonly isIncomplete: boolean;
}) {
  if (isIncomplete)
    return (
      <Empty title="No matching instances found yet">
        <p>Few instances match, so the search takes longer. The next page continues the search.</p>
      </Empty>
    );
  const { order: _, ...narrowing } = filters;
  if (Object.values(narrowing).some(Boolean))
    return (
      <Empty title="No matching instances">
        <p>
          Remove a filter, or <a href="/instances">show all instances</a>. Filters are
          case-sensitive. They match a transaction id prefix, but only a complete business key.
        </p>
      </Empty>
    );
  return (
    <Empty title="No instances yet">
      <p>
        The first event creates an instance, which appears here within a few seconds. To send an
        event:
      </p>
      <Command>{putCommand}</Command>
    </Empty>
  );
}
