import type { Calendar } from '../../src/core/calendar/calendar.ts';
import { durationMilliseconds } from '../../src/core/time/duration.ts';
import { toIso } from '../../src/core/time/timestamp.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A calendar that is open every day from 9:00 to 17:00 UTC. It rejects durations with days or weeks. */
export const daytime: Calendar = {
  timeZone: 'UTC',
  add(time, duration) {
    if (/[WD]/.test(duration)) throw new RangeError(`${duration}: use hours`);
    let [moment, left] = [Date.parse(time), durationMilliseconds(duration)];
    while (left > 0) {
      const opens = moment - (moment % day) + 9 * hour;
      const closes = opens + 8 * hour;
      const from = Math.max(moment, opens);
      if (left <= closes - from) return toIso(from + left);
      left -= Math.max(0, closes - from);
      moment = opens + 15 * hour;
    }
    return toIso(moment);
  },
  between: (from, until) =>
    daytime
      .openIntervals(from, until)
      .reduce((sum, each) => sum + Date.parse(each.until) - Date.parse(each.from), 0),
  openIntervals(from, until) {
    const [start, end] = [Date.parse(from), Date.parse(until)];
    const intervals = [];
    for (let midnight = start - (start % day); midnight < end; midnight += day) {
      const opens = Math.max(start, midnight + 9 * hour);
      const closes = Math.min(end, midnight + 17 * hour);
      if (opens < closes) intervals.push({ from: toIso(opens), until: toIso(closes) });
    }
    return intervals;
  },
};
