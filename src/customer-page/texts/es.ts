import { isOneOClock, type Texts } from './texts.ts';

export const es: Texts = {
  // The article agrees with the hour: "la 1:05", but "las 17:05".
  clock: (time) => `${isOneOClock(time) ? 'la' : 'las'} ${time}`,
  // Remove the comma after the weekday, which does not belong in a sentence.
  onDate: (date) => `el ${date.replace(',', '')}`,
  at: (day, time) => `${day} a ${time}`,
  expected: (day) => `previsto para ${day}`,
  expectedBy: (day, time) => `previsto para ${day} antes de ${time}`,
  wasExpected: (day) => `estaba previsto para ${day}`,
  wasExpectedBy: (day, time) => `estaba previsto para ${day} antes de ${time}`,
  likely: (day) => `probablemente ${day}`,
  states: {
    reached: 'completado',
    current: 'siguiente paso',
    pending: 'pendiente',
    late: 'con retraso',
    skipped: 'no es necesario',
  },
  reference: 'Referencia',
  progress: 'Progreso',
  noUpdates: 'Aún no hay novedades',
  updated: (when) => `Actualizado ${when}.`,
  final: 'Este es el estado final.',
  updatesAutomatically: 'Este estado se actualiza automáticamente.',
  withoutScript: 'Fechas y horas en UTC. Vuelva a cargar la página para ver las novedades.',
  loading: 'Cargando el estado…',
  notFound: 'Este estado no está disponible. El enlace está incompleto o ya no es válido.',
  expired: 'Este enlace ha caducado. Solicite uno nuevo al remitente.',
  unreachable: 'No se puede cargar el estado en este momento. Seguiremos intentándolo.',
  stale: (when) =>
    `No se puede actualizar en este momento. Último estado recibido ${when}. Seguiremos intentándolo.`,
};
