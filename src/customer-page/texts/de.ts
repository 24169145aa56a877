import type { Texts } from './texts.ts';

export const de: Texts = {
  clock: (time) => `${time} Uhr`,
  onDate: (date) => `am ${date}`,
  at: (day, time) => `${day} um ${time}`,
  expected: (day) => `${day} erwartet`,
  expectedBy: (day, time) => `${day} bis ${time} erwartet`,
  wasExpected: (day) => `wurde ${day} erwartet`,
  wasExpectedBy: (day, time) => `wurde ${day} bis ${time} erwartet`,
  likely: (day) => `voraussichtlich ${day}`,
  states: {
    reached: 'erledigt',
    current: 'als Nächstes',
    pending: 'steht noch aus',
    late: 'verspätet',
    skipped: 'entfällt',
  },
  reference: 'Referenz',
  progress: 'Fortschritt',
  noUpdates: 'Noch keine Neuigkeiten',
  updated: (when) => `Aktualisiert ${when}.`,
  final: 'Dies ist der endgültige Status.',
  updatesAutomatically: 'Dieser Status wird automatisch aktualisiert.',
  withoutScript:
    'Datum und Uhrzeit in koordinierter Weltzeit (UTC). Laden Sie die Seite neu, um den aktuellen Stand zu sehen.',
  loading: 'Status wird geladen …',
  notFound: 'Dieser Status ist nicht verfügbar. Der Link ist unvollständig oder nicht mehr gültig.',
  expired: 'Dieser Link ist abgelaufen. Bitten Sie den Absender um einen neuen.',
  unreachable: 'Der Status kann gerade nicht geladen werden. Wir versuchen es weiter.',
  stale: (when) => `Aktualisierung gerade nicht möglich. Stand: ${when}. Wir versuchen es weiter.`,
};
