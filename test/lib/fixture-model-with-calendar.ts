import { defineCalendar } from '../../index.ts';

const office = defineCalendar({ timeZone: 'Europe/Berlin', hours: { mon: ['09:00-17:00'] } });

/** A model's Lambda function that uses a calendar. */
export async function handler(event: { readonly time: string }): Promise<string> {
  return office.add(event.time, 'PT8H');
}
