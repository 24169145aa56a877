import { defineCalendar, defineProcess } from 'milepost';

export const office = defineCalendar({
  timeZone: 'Europe/Berlin',
  hours: {
    mon: ['09:00-12:00', '13:00-17:00'],
    tue: ['09:00-17:00'],
    wed: ['09:00-17:00'],
    thu: ['09:00-17:00'],
    fri: ['09:00-15:00'],
  },
  holidays: ['2026-12-25', '2026-12-26', '--01-01'],
  exceptions: { '2026-12-24': ['09:00-12:00'] },
});

/** An insurance claim that must be answered within eight office hours, or four for gold customers. */
export const claim = defineProcess({
  id: 'claim',
  keep: { tier: '/data/tier' },
  milestones: [
    { id: 'received', label: 'Received', on: 'claim.received' },
    {
      id: 'answered',
      label: 'Answered',
      on: 'answer.sent',
      deadline: {
        within: 'PT8H',
        after: 'received',
        calendar: office,
        warnAt: 0.75,
        pausedWhile: { from: 'documents.requested', until: 'documents.received' },
        tiers: { key: 'tier', gold: 'PT4H' },
      },
    },
  ],
});
