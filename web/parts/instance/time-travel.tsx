import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { requestJson } from '../../api/request-json.ts';
import type { PastInstance } from '../../api/types.ts';
import { withQuery } from '../../pure/paths.ts';

/** A form that shows a past state of an instance, selected by event time or by record time. */
export function TimeTravel({
  inApi,
  said,
}: {
  /** The path of the instance in the API. */
  readonly inApi: string;
  /** Receives the message if the instance had no state at that time. */
  readonly said: (text: string) => void;
}) {
  const { path, route } = useLocation();
  const [time, setTime] = useState('');
  const [clock, setClock] = useState('event');
  const show = async () => {
    const at = new Date(time).toISOString();
    said('');
    if (clock === 'event') {
      route(withQuery(path, { asOfEventTime: at }));
      return;
    }
    try {
      const past = JSON.parse(await requestJson(withQuery(inApi, { at }))) as PastInstance;
      route(withQuery(path, { version: String(past.version) }));
    } catch (error) {
      said(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      class="filters"
      aria-label="Past state"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void show();
      }}
    >
      <label>
        State at
        <input
          type="datetime-local"
          step="1"
          required
          // Without a maximum, browsers accept years of six digits, which the API rejects.
          max="9999-12-31T23:59:59"
          value={time}
          onInput={({ currentTarget }) => setTime(currentTarget.value)}
        />
      </label>
      <label>
        By
        <select value={clock} onChange={({ currentTarget }) => setClock(currentTarget.value)}>
          <option value="event">event time</option>
          <option value="record">record time</option>
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  );
}
