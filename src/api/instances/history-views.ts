import type { InferOutput } from 'valibot';
import type { Commit } from '../../core/history/commit.ts';
import type { HistoryEntry } from '../../core/history/history-entry.ts';
import { pointerOf } from '../../core/json/json-pointer.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { FieldExplanation } from '../../core/replay/explain.ts';
import type { explanation } from './explanation-schema.ts';
import type { entry as entrySchema } from './history-schemas.ts';
import { instanceName } from './instance-name.ts';
import type { InstanceAtMoment } from './read-at-moment.ts';

/** The event that set a field, and its commit. */
export interface SetBy
  extends Pick<Commit, 'version' | 'at' | 'modelVersion'>,
    Pick<HistoryEntry, 'event'> {}

/** Builds the response that explains a state's fields. */
export function explanationView(
  { commit, at }: InstanceAtMoment,
  fields: readonly FieldExplanation<SetBy>[],
): InferOutput<typeof explanation> {
  return {
    asOf: { version: commit.version, at },
    fields: fields.map(({ path, value, setBy, pathBefore }) => ({
      path: pointerOf(path),
      ...(value === undefined ? { removed: true as const } : { value }),
      setBy: setBy ? setByView(setBy) : null,
      ...(pathBefore && { pathBefore: pointerOf(pathBefore) }),
    })),
  };
}

function setByView({ version, at, modelVersion, event }: SetBy) {
  const { id, source, type, time } = event;
  return { version, at, modelVersion, event: { id, source, type, time } };
}

/** Builds the representation of a history entry. */
export function entryView(commit: Commit, entry: HistoryEntry): InferOutput<typeof entrySchema> {
  const { version, modelVersion, at } = commit;
  const { id, source, type, time, replyTo } = entry.event;
  const replyto = replyTo && { replyto: instanceName(replyTo) };
  return {
    version,
    modelVersion,
    at,
    event: { id, source, type, time, ...replyto, data: parseJson(entry.data) },
    outcome: entry.outcome,
    reason: entry.reason,
    status: entry.status,
    state: parseJson(entry.state),
  };
}
