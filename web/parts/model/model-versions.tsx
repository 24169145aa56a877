import { requestJson } from '../../api/request-json.ts';
import type { ModelVersion, VersionList } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { modelPage } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';

/** How often it asks whether a model was deployed or rolled back, in milliseconds. */
const everyMs = 5000;

/** The versions of a model's code, and a way back to each; nothing where none was published. */
export function ModelVersions({
  model,
  said,
  changed,
}: {
  readonly model: string;
  /** Told what happened. */
  readonly said: (text: string) => void;
  /** Called when another version runs. */
  readonly changed: () => void;
}) {
  const inApi = `/api${modelPage(model)}`;
  const { body, refresh } = useLive<VersionList>(`${inApi}/versions`, everyMs);
  const versions = body?.versions ?? [];
  if (versions.length === 0) return null;
  const current = versions.findIndex((version) => version.current);
  const rollBack = async ({ functionVersion, version }: ModelVersion) => {
    const sent = JSON.stringify({ functionVersion });
    await requestJson(`${inApi}/rollback`, { method: 'POST', body: sent });
    refresh();
    changed();
    return `The code of function version ${functionVersion} (model version ${version}) applies events within a few seconds.`;
  };
  return (
    <section class="card" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {current > 0 ? <p>It was rolled back. The next deployment of the model ends that.</p> : null}
      <table class="versions">
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Model</th>
            <th scope="col">Registered</th>
            <th scope="col">
              <span class="hidden">What runs</span>
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
                    label={index < current ? 'Take again' : 'Roll back'}
                    title={`Have function version ${version.functionVersion} apply events?`}
                    danger={index > current}
                    run={() => rollBack(version)}
                    said={said}
                  >
                    <p>
                      Every event of {model} is then applied by that code (model version{' '}
                      {version.version}), until the next deployment. Instances that moved on to
                      another version are handed to its <code>migrate</code> at their next event; if
                      it has none, it takes their states as they are.
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
