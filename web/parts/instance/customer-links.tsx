import { useState } from 'preact/hooks';
import { requestJson } from '../../api/request-json.ts';
import type { CustomerLink, LinkPage, NewLink } from '../../api/types.ts';
import { useLive } from '../../api/use-live.ts';
import { instanceInApi, withQuery } from '../../pure/paths.ts';
import { Action } from '../action.tsx';
import { Moment } from '../moment.tsx';
import { PartFailed } from '../states.tsx';
import { CreatedLink, CreateLink } from './new-link.tsx';

/** The maximum number of links to show. */
const limit = '100';
/** The polling interval, in milliseconds, which shows that links were revoked elsewhere or have expired. */
const everyMs = 10_000;

/**
 * The customer links to an instance's status page; renders nothing if customer pages are turned off and there are no
 * links.
 */
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
  const { body, failure, refresh } = useLive<LinkPage>(withQuery(inApi, { limit }), everyMs);
  const [created, setCreated] = useState<NewLink>();
  if (!body && failure)
    return (
      <section class="card links" aria-labelledby="links">
        <h2 id="links">Customer links</h2>
        <PartFailed failure={failure} retry={refresh} />
      </section>
    );
  const { links, customerPages } = body ?? { links: [], customerPages: false };
  if (links.length === 0 && !customerPages) return null;
  // The list no longer contains a link that has expired or was revoked, for example in another window.
  const isValid = links.some(({ id }) => id === created?.id);
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
  const show = (link: NewLink) => {
    setCreated(link);
    refresh();
  };
  return (
    <section class="card links" aria-labelledby="links">
      <header>
        <h2 id="links">Customer links</h2>
        <div class="buttons">
          {customerPages ? (
            <CreateLink model={model} transaction={transaction} created={show} said={said} />
          ) : null}
          {links.length > 0 ? (
            <Action label="Revoke all" title="Revoke all links?" danger run={revokeAll} said={said}>
              <p>
                All customers lose access to the instance's status page. To restore access, create
                new links.
              </p>
            </Action>
          ) : null}
        </div>
      </header>
      {created && isValid ? <CreatedLink key={created.id} link={created} /> : null}
      {links.length === 0 ? (
        <p class="faint">
          A link shows the status of this instance to its customer. There are no valid links.
        </p>
      ) : (
        <LinkTable links={links} revoke={revoke} said={said} />
      )}
      {body?.cursor ? <p class="faint">Only the newest {limit} links are shown.</p> : null}
    </section>
  );
}

function LinkTable({
  links,
  revoke,
  said,
}: {
  readonly links: readonly CustomerLink[];
  readonly revoke: (link: CustomerLink) => Promise<string>;
  readonly said: (text: string) => void;
}) {
  return (
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
  );
}
