import { useEffect } from 'preact/hooks';
import type { Summary } from '../../api/types.ts';
import { countOf, locale } from '../../pure/locale.ts';
import { Id } from '../marks.tsx';
import { sentence } from '../states.tsx';
import { useSelection } from './use-selection.ts';

/** The maximum number of instances that the preview lists. */
const namedAtMost = 8;

/**
 * Shows the instances that an operation will include, before the operation starts.
 *
 * @param selected called with the instances when the whole list has been read. Not called if there are no instances or
 *   too many.
 */
export function Preview({
  filters,
  atMost,
  none,
  tooMany,
  selected,
}: {
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly atMost: number;
  /** The text for an empty list. */
  readonly none: string;
  /** The message that tells the user what to do instead if there are too many instances. */
  readonly tooMany: string;
  readonly selected: (instances: readonly Summary[]) => void;
}) {
  const { state, instances, failure } = useSelection(filters, atMost);
  useEffect(() => {
    if (state === 'complete' && instances.length > 0) selected(instances);
    // `selected` is not a dependency, because the parent passes a new function for each rendering.
  }, [state, instances]);
  const count = countOf(instances.length, 'instance');
  if (state === 'failed') return <p class="wrong">{sentence(failure ?? '')}</p>;
  if (state === 'reading') return <p aria-live="polite">Reading the list: {count}…</p>;
  if (state === 'too-many')
    return (
      <p class="wrong">
        The list has more than {atMost.toLocaleString(locale)} instances. {tooMany}
      </p>
    );
  if (instances.length === 0) return <p>{none}</p>;
  return (
    <>
      <p>
        <strong>{count}</strong>:
      </p>
      <ul class="preview">
        {instances.slice(0, namedAtMost).map(({ model, transaction, status }) => (
          <li key={`${model}/${transaction}`}>
            <Id text={transaction} />{' '}
            <span class="faint">
              <Id text={status} />
            </span>
          </li>
        ))}
        {instances.length > namedAtMost ? (
          <li class="faint">and {(instances.length - namedAtMost).toLocaleString(locale)} more</li>
        ) : null}
      </ul>
    </>
  );
}
