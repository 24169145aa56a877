import { requestJson } from '../../api/request-json.ts';
import type { CustomerLink, LinkPage } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { instanceInApi, withQuery } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';

/** How many are shown, and revoked one by one. */
const limit = '100';

/** The links that customers were given to an instance's status page; nothing where there is none. */
export function CustomerLinks({
  model,
  transaction,
  said,
}: {
  readonly model: string;
  readonly transaction: string;
  /** Told what happened. */
  readonly said: (text: string) => void;
}) {
  const inApi = `${instanceInApi(model, transaction)}/links`;
  const { body, refresh } = useLive<LinkPage>(withQuery(inApi, { limit }));
  const links = body?.links ?? [];
  if (links.length === 0) return null;
  const revoke = async ({ id }: CustomerLink) => {
    await requestJson(`${inApi}/${id}`, { method: 'DELETE' });
    refresh();
    return 'The link is revoked.';
  };
  const revokeAll = async () => {
    await requestJson(inApi, { method: 'DELETE' });
    refresh();
    return 'All links to the status page are revoked.';
  };
  return (
    <section class="card links" aria-labelledby="links">
      <header>
        <h2 id="links">Customers’ links</h2>
        <Action label="Revoke all" title="Revoke all links?" danger run={revokeAll} said={said}>
          <p>
            Nobody sees the status page of this instance any more, until somebody is given a new
            link.
          </p>
        </Action>
      </header>
      <div class="scroll" role="group" tabIndex={0} aria-label="Table of the links">
        <table>
          <thead>
            <tr>
              <th scope="col">Made</th>
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
                      Whoever has it does not see the status page any more. Other links stay good.
                    </p>
                  </Action>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {body?.cursor ? <p class="faint">There are more; these are the newest.</p> : null}
    </section>
  );
}
