import { useState } from 'preact/hooks';
import { escapeControls } from '../../../src/common/escape.ts';
import { parseJson } from '../../../src/core/json/parse-json.ts';
import { type ForEachResult, forEach } from '../../api/for-each.ts';
import { requestJson } from '../../api/request-json.ts';
import type { Summary } from '../../api/types.ts';
import { instancesFile, type ListFormat } from '../../pure/instances-file.ts';
import { countOf } from '../../pure/locale.ts';
import { instanceInApi, withQuery } from '../../pure/paths.ts';
import { Action, type Report } from '../action.tsx';
import { Preview } from './preview.tsx';
import { saveFile } from './save-file.ts';

type Filters = Readonly<Record<string, string | undefined>>;

/** The maximum number of instances that an operation can change, and that a file can contain. */
const changedAtMost = 10_000;
const exportedAtMost = 100_000;
/** The maximum number of concurrent requests. */
const concurrency = 4;
/** The maximum number of instances whose errors are shown. */
const shownFailures = 3;

interface Props {
  readonly filters: Filters;
  /** Called with the message to show after an operation. */
  readonly said: (text: string) => void;
}

/** The operations on all instances of a filtered list. */
export function BulkActions(props: Props) {
  return (
    <span class="buttons">
      <Export {...props} />
      <Redrive {...props} />
      <Forget {...props} />
    </span>
  );
}

function Export({ filters, said }: Props) {
  const [instances, setInstances] = useState<readonly Summary[]>();
  const [format, setFormat] = useState<ListFormat>('csv');
  return (
    <Action
      label="Export"
      title="Export this list"
      opened={() => setInstances(undefined)}
      isReady={instances !== undefined}
      isRead
      said={said}
      run={() => {
        const exported = instances ?? [];
        saveFile(instancesFile(exported, format, new Date().toISOString()));
        return Promise.resolve(`Exported ${countOf(exported.length, 'instance')}.`);
      }}
    >
      <fieldset class="choices">
        <legend>Format</legend>
        {(['csv', 'jsonl'] as const).map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="format"
              checked={format === each}
              onChange={() => setFormat(each)}
            />
            <span>{each === 'csv' ? 'CSV, for spreadsheets' : 'JSON Lines, for programs'}</span>
          </label>
        ))}
      </fieldset>
      <Preview
        filters={filters}
        none="The list no longer contains any instances."
        atMost={exportedAtMost}
        tooMany="Add a filter to shorten the list, or run milepost export."
        selected={setInstances}
      />
    </Action>
  );
}

function Redrive({ filters, said }: Props) {
  const [instances, setInstances] = useState<readonly Summary[]>();
  return (
    <Action
      label="Redrive"
      title="Redrive all instances in this list that have parked events?"
      opened={() => setInstances(undefined)}
      isReady={instances !== undefined}
      said={said}
      run={async (report) => {
        const result = await sendAll(instances ?? [], report, (inApi) =>
          requestJson(`${inApi}/redrive`, { method: 'POST' }),
        );
        setInstances(result.failed.map(({ item }) => item));
        return resultText(result, (count) => `Redriving ${count}.`);
      }}
    >
      <p>
        The models process the parked events again, in order. Events that still fail are parked
        again.
      </p>
      <Preview
        filters={{ ...filters, parked: 'true' }}
        atMost={changedAtMost}
        none="No instance in this list has parked events."
        tooMany="Add a filter to shorten the list."
        selected={setInstances}
      />
    </Action>
  );
}

function Forget({ filters, said }: Props) {
  const [instances, setInstances] = useState<readonly Summary[]>();
  const [typed, setTyped] = useState('');
  const count = instances?.length ?? 0;
  return (
    <Action
      label="Forget"
      title="Destroy the personal data of all instances in this list?"
      danger
      opened={() => {
        setInstances(undefined);
        setTyped('');
      }}
      isReady={count > 0 && typed.trim() === String(count)}
      said={said}
      run={async (report) => {
        const result = await sendAll(instances ?? [], report, forget);
        const failed = result.failed.map(({ item }) => item);
        setInstances(failed);
        setTyped(String(failed.length));
        return resultText(
          result,
          (forgotten) => `Destroyed the personal data of ${forgotten}.`,
          'without sensitive fields or with a history that could not be searched',
        );
      }}
    >
      <p>
        The sensitive fields of these instances become unreadable within a minute, and their
        customer links are revoked. You cannot undo this. The histories remain, without these
        fields. Copies in plain text, such as the records on the stream, are not erased.
      </p>
      <Preview
        filters={filters}
        none="The list no longer contains any instances."
        atMost={changedAtMost}
        tooMany="Add a filter to shorten the list."
        selected={setInstances}
      />
      {count > 0 ? (
        <label class="confirm">
          <span>Type {count} to confirm</span>
          <input
            type="text"
            inputMode="numeric"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
      ) : null}
    </Action>
  );
}

/** Destroys the personal data of an instance. A long history requires several requests. */
async function forget(inApi: string): Promise<void> {
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const path = withQuery(`${inApi}/forget`, { cursor });
    ({ cursor } = parseJson<{ cursor?: string }>(await requestJson(path, { method: 'POST' })));
    isLast = cursor === undefined;
  }
}

const sendAll = (
  instances: readonly Summary[],
  report: Report,
  request: (inApi: string) => Promise<unknown>,
) =>
  forEach(instances, ({ model, transaction }) => request(instanceInApi(model, transaction)), {
    concurrency,
    report,
  });

/**
 * Describes the result of an operation.
 *
 * @throws Error if requests failed for some instances. Another attempt then includes only these instances.
 */
function resultText(
  { done, skipped, failed }: ForEachResult<Summary>,
  doneText: (count: string) => string,
  why = 'that no longer exist or whose model is not registered',
): string {
  const skippedText = skipped > 0 ? ` Skipped ${countOf(skipped, 'instance')} ${why}.` : '';
  const text = `${doneText(countOf(done, 'instance'))}${skippedText}`;
  if (failed.length === 0) return text;
  const shown = failed
    .slice(0, shownFailures)
    .map(({ item, message }) => `${escapeControls(item.transaction)}: ${message}`);
  throw new Error(
    `${text} ${countOf(failed.length, 'instance')} failed. Confirm again to retry only these. ${shown.join(' ')}`,
  );
}
