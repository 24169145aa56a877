import { requestJson } from '../../api/request-json.ts';
import type { ModelVersion, VersionList } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { modelPage } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';

/** The polling interval of the list of versions, in milliseconds. */
const everyMs = 5000;

/**
 * The versions of a model's code, with a button to activate each version except the current one. Renders nothing if no
 * versions were published.
 */
export function ModelVersions({
  model,
  said,
  changed,
}: {
  readonly model: string;
  /** Receives the message after a rollback. */
  readonly said: (text: string) => void;
  /** Called after another version becomes active. */
  readonly changed: () => void;
}) {
  const inApi = `/api${modelPage(model)}`;
  const { body, failure, refresh } = useLive<VersionList>(`${inApi}/versions`, everyMs);
  if (!body && failure)
    return (
      <section class="card" aria-labelledby="versions">
        <h2 id="versions">Versions</h2>
        <PartFailed failure={failure} retry={refresh} />
      </section>
    );
  const versions = body?.versions ?? [];
  if (versions.length === 0) return null;
  const current = versions.findIndex((version) => version.current);
  const rollBack = async ({ functionVersion, version }: ModelVersion) => {
    const sent = JSON.stringify({ functionVersion });
    await requestJson(`${inApi}/rollback`, { method: 'POST', body: sent });
    refresh();
    changed();
    return `Function version ${functionVersion} (model version ${version}) becomes active within a few seconds.`;
  };
  return (
    <section class="card" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {current > 0 ? (
        <p>
          This model is rolled back. The rollback ends when a deployment changes the model’s
          function, or when you roll forward to the newest version.
        </p>
      ) : null}
      <table class="versions">
        <thead>
          <tr>
            <th scope="col">Function version</th>
            <th scope="col">Model version</th>
            <th scope="col">Registered</th>
            <th scope="col">
              <span class="hidden">Current version and rollback</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version, index) => (
            <tr key={version.functionVersion}>
              <td class="number">{version.functionVersion}</td>
              <td class="number">{version.version}</td>
              <td>
                <Moment at={version.registeredAt} />
              </td>
              <td>
                {version.current ? (
                  <span class="tag">current</span>
                ) : (
                  <Action
                    label={index < current ? 'Roll forward' : 'Roll back'}
                    title={`Activate function version ${version.functionVersion}?`}
                    danger={index > current}
                    run={() => rollBack(version)}
                    said={said}
                  >
                    <p>
                      This version (model version {version.version}) then processes all events of{' '}
                      {model}
                      {index === 0
                        ? ', and the rollback ends. '
                        : ' until a deployment changes the model’s function or you activate another version. '}
                      When an instance with a state from another model version receives its next
                      event, <code>migrate</code> converts that state. If this version does not
                      define <code>migrate</code>, the state stays unchanged.
                    </p>
                  </Action>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
