import { requestJson } from '../../api/request-json.ts';
import type { CustomerLink, LinkPage } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { instanceInApi, withQuery } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';

/** The maximum number of links to show. */
const limit = '100';

/** The customer links to an instance's status page; renders nothing if there are none. */
export function CustomerLinks({
  model,
  transaction,
  said,
}: {
  readonly model: string;
  readonly transaction: string;
  /** Receives the message after an action. */
  readonly said: (text: string) => void;
}) {
  const inApi = `${instanceInApi(model, transaction)}/links`;
  const { body, failure, refresh } = useLive<LinkPage>(withQuery(inApi, { limit }));
  if (!body && failure)
    return (
      <section class="card links" aria-labelledby="links">
        <h2 id="links">Customer links</h2>
        <PartFailed failure={failure} retry={refresh} />
      </section>
    );
  const links = body?.links ?? [];
  if (links.length === 0) return null;
  const revoke = async ({ id }: CustomerLink) => {
    await requestJson(`${inApi}/${id}`, { method: 'DELETE' });
    refresh();
    return 'Revoked the link.';
  };
  const revokeAll = async () => {
    await requestJson(inApi, { method: 'DELETE' });
    refresh();
    return 'Revoked all links.';
  };
  return (
    <section class="card links" aria-labelledby="links">
      <header>
        <h2 id="links">Customer links</h2>
        <Action label="Revoke all" title="Revoke all links?" danger run={revokeAll} said={said}>
          <p>
            All customers lose access to the instance's status page. To restore access, create new
            links.
          </p>
        </Action>
      </header>
      <div class="scroll" role="group" tabIndex={0} aria-label="Customer links">
        <table>
          <thead>
            <tr>
              <th scope="col">Created</th>
              <th scope="col">Expires</th>
              <th scope="col">Id</th>
              <th scope="col">
                <span class="hidden">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr key={link.id}>
                <td>
                  <Moment at={link.createdAt} />
                </td>
                <td>
                  <Moment at={link.expiresAt} />
                </td>
                <td>
                  <code>{link.id}</code>
                </td>
                <td>
                  <Action
                    label="Revoke"
                    title="Revoke this link?"
                    danger
                    run={() => revoke(link)}
                    said={said}
                  >
                    <p>
                      The link will no longer open the status page. Other links will keep working.
                    </p>
                  </Action>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {body?.cursor ? <p class="faint">Only the newest {limit} links are shown.</p> : null}
    </section>
  );
}
