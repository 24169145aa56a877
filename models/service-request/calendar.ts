import { defineCalendar } from 'milepost';

/** The working hours of the service team. */
export const serviceHours = defineCalendar({
  timeZone: 'Europe/Berlin',
  hours: {
    mon: ['08:00-17:00'],
    tue: ['08:00-17:00'],
    wed: ['08:00-17:00'],
    thu: ['08:00-19:00'],
    fri: ['08:00-15:00'],
  },
  holidays: ['--01-01', '--05-01', '--10-03', '--12-25', '--12-26'],
  exceptions: { '2026-12-24': ['08:00-12:00'], '2026-12-31': ['08:00-12:00'] },
});
