import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { escapeControls } from '../../src/common/escape.ts';
import { shellWord } from '../../src/common/shell-word.ts';
import {
  behindReason,
  commonReason,
  groupByReason,
  type ReasonGroup,
} from '../../src/core/event/dead-letter-reason.ts';
import { forEach } from '../api/for-each.ts';
import { readOlderLetters } from '../api/read-older-letters.ts';
import { requestJson } from '../api/request-json.ts';
import type { DeadLetterPage, LetterSummary } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { useModelTitles } from '../api/use-model-titles.ts';
import { Action, ActionMessage, type Report } from '../parts/action.tsx';
import { Letter } from '../parts/dead-letters/letter.tsx';
import { SearchOlder } from '../parts/dead-letters/search-older.tsx';
import { Id } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pager } from '../parts/pager.tsx';
import { Command, Empty, Failed, Waiting } from '../parts/states.tsx';
import { Title } from '../parts/title.tsx';
import { matchesText } from '../pure/letter-filter.ts';
import { countOf } from '../pure/locale.ts';
import { withQuery } from '../pure/paths.ts';

/** The number of dead letters per page. Groups contain only the dead letters on one page. */
const perPage = '100';

const pageInApi = (cursor: string | undefined) =>
  withQuery('/api/dead-letters', { limit: perPage, raw: 'false', cursor });

/** The page that lists dead letters, grouped by reason, with actions for each group and for each dead letter. */
export function DeadLettersPage() {
  const { path, query, route } = useLocation();
  const { cursor, q = '' } = query;
  const { body, failure, stale, refresh, loadedAt } = useLive<DeadLetterPage>(
    pageInApi(cursor),
    cursor ? undefined : 3000,
  );
  const { titleOf } = useModelTitles();
  const [said, setSaid] = useState('');
  const done = (text: string) => {
    setSaid(text);
    if (text) refresh();
  };
  const letters = body?.deadLetters ?? [];
  const groups = groupByReason(letters.filter((letter) => matchesText(letter, q)));
  return (
    <>
      <Title text="Dead letters" loadedAt={loadedAt} failure={body && failure} />
      <ActionMessage text={said} />
      {letters.length > 0 || q ? (
        <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
          <label>
            Contains
            <input
              type="search"
              value={q}
              placeholder="reason, instance or event id"
              onInput={({ currentTarget }) =>
                route(withQuery(path, { ...query, q: currentTarget.value }), true)
              }
            />
          </label>
        </form>
      ) : null}
      {body ? (
        <div class={stale ? 'stale' : ''} aria-busy={stale}>
          {groups.map((group) => (
            <Group
              key={group.reason}
              group={group}
              text={q}
              next={body.cursor}
              titleOf={titleOf}
              said={done}
            />
          ))}
          {letters.length > 0 && groups.length === 0 ? (
            <Empty title="No dead letter on this page contains this text">
              {body.cursor ? (
                <SearchOlder
                  key={`${q} ${body.cursor}`}
                  next={body.cursor}
                  isWanted={(letter) => matchesText(letter, q)}
                  get={async (older, signal) =>
                    JSON.parse(await requestJson(pageInApi(older), { signal }))
                  }
                  found={(older) => route(withQuery(path, { ...query, cursor: older }))}
                />
              ) : null}
            </Empty>
          ) : null}
          {letters.length === 0 ? (
            <Empty title="No dead letters">
              <p>
                Records that are not valid events or that belong to no model appear here with the
                reason. So do parked events, which block only their own instance.
              </p>
            </Empty>
          ) : null}
          <Pager next={body.cursor} />
        </div>
      ) : null}
      {!body && failure ? (
        <Failed failure={failure} retry={refresh}>
          {failure.status === 400 ? (
            <p>
              <a href="/dead-letters">Show the newest dead letters</a>
            </p>
          ) : null}
        </Failed>
      ) : null}
      {!body && !failure ? <Waiting lines={20} /> : null}
    </>
  );
}

/** The dead letters with the same reason, and actions for all of them. */
function Group({
  group: { reason, letters },
  text,
  next,
  titleOf,
  said,
}: {
  readonly group: ReasonGroup<LetterSummary>;
  /** The text that the dead letters contain. */
  readonly text: string;
  /** The cursor of the next page, which contains older dead letters; undefined on the last page. */
  readonly next: string | undefined;
  readonly titleOf: (model: string) => string;
  readonly said: (text: string) => void;
}) {
  const count = letters.length;
  const models = useMemo(() => [...new Set(letters.map(({ modelId }) => modelId))], [letters]);
  return (
    <section class="card group">
      <header>
        <h2>
          <Id text={reason} />
        </h2>
        {count > 1 && (
          <span class="buttons">
            <Action
              label={next ? 'Redrive all' : `Redrive all ${count}`}
              title={
                next
                  ? 'Redrive these and all older matching dead letters?'
                  : `Redrive ${count} dead letters?`
              }
              said={said}
              run={async (report) => {
                // An instance's events must return to the stream in order, so older dead letters precede those on the
                // page.
                const older = await readOlderLetters(
                  next,
                  (letter) => commonReason(letter) === reason && matchesText(letter, text),
                  async (cursor) => {
                    report(0, letters.length);
                    return JSON.parse(await requestJson(pageInApi(cursor)));
                  },
                );
                const redriven = await sendAll([...letters, ...older], report, (inApi) =>
                  requestJson(`${inApi}/redrive`, { method: 'POST' }),
                );
                return `Redrove ${countOf(redriven, 'dead letter')}. Dead letters that fail again reappear here.`;
              }}
            >
              <p>
                Rejected records are put back on the stream unchanged, oldest first. For parked
                events, the models process all parked events of the same instances again, in order.
              </p>
            </Action>
            <Action
              label={`Delete all ${count}`}
              title={`Delete ${count} dead letters?`}
              danger
              said={said}
              run={async (report) => {
                const deleted = await sendAll(letters, report, (inApi) =>
                  requestJson(inApi, { method: 'DELETE' }),
                );
                return `Deleted ${countOf(deleted, 'dead letter')}.`;
              }}
            >
              <p>
                The dead letters will be deleted, and you cannot restore them. Their records remain
                on the stream until the retention period ends. Instances whose parked events are
                deleted will continue without them.
              </p>
              {next && !text ? (
                <>
                  <p>To also delete the older dead letters with this reason, run:</p>
                  <Command>{`npx milepost dead-letters delete --reason ${shellWord(escapeControls(reason))}`}</Command>
                </>
              ) : null}
            </Action>
          </span>
        )}
      </header>
      <p class="faint">
        {countOf(count, 'dead letter')}, latest <Moment at={letters[0].at} />
        {models.length === 1 && models[0] ? (
          <>
            , <Id text={titleOf(models[0])} />
          </>
        ) : null}
      </p>
      {reason === behindReason && (
        <p class="faint">
          Milepost applies these events, in order, when the failed event of their instance is
          redriven successfully or deleted.
        </p>
      )}
      {letters.map((letter) => (
        <Letter key={letter.id} letter={letter} isOpen={count === 1} said={said} />
      ))}
    </section>
  );
}

/**
 * Sends a request for each dead letter, oldest first. Skips dead letters that were removed in the meantime or cannot be
 * redriven. Returns the number of successful requests.
 *
 * @throws Error if requests failed.
 */
async function sendAll(
  letters: readonly LetterSummary[],
  report: Report,
  request: (inApi: string) => Promise<unknown>,
): Promise<number> {
  const { done, failed } = await forEach(
    letters.toReversed(),
    ({ id }) => request(`/api/dead-letters/${encodeURIComponent(id)}`),
    { concurrency: 1, report },
  );
  const [first] = failed;
  if (first) throw new Error(`${failed.length} of ${letters.length} failed: ${first.message}`);
  return done;
}
