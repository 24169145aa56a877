import type { Texts } from './texts.ts';

export const fr: Texts = {
  clock: (time) => time,
  onDate: (date) => `le ${date.replace(/\b1 /, '1er ')}`,
  at: (day, time) => `${day} à ${time}`,
  expected: (day) => `prévu ${day}`,
  expectedBy: (day, time) => `prévu ${day} avant ${time}`,
  wasExpected: (day) => `était prévu ${day}`,
  wasExpectedBy: (day, time) => `était prévu ${day} avant ${time}`,
  likely: (day) => `probablement ${day}`,
  states: {
    reached: 'terminé',
    current: 'prochaine étape',
    pending: 'à venir',
    late: 'en retard',
    skipped: 'non nécessaire',
  },
  reference: 'Référence',
  progress: 'Progression',
  noUpdates: 'Aucune mise à jour pour le moment',
  updated: (when) => `Mis à jour ${when}.`,
  final: 'Ce suivi est terminé.',
  updatesAutomatically: 'Ce suivi se met à jour automatiquement.',
  withoutScript: 'Dates et heures en UTC. Rechargez la page pour voir les mises à jour.',
  loading: 'Chargement du suivi…',
  notFound: 'Ce suivi n’est pas disponible. Le lien est incomplet ou n’est plus valable.',
  expired: 'Ce lien a expiré. Demandez-en un nouveau à l’expéditeur.',
  unreachable: 'Impossible de charger le suivi pour le moment. Nous réessayons automatiquement.',
  stale: (when) =>
    `Mise à jour impossible pour le moment. Dernières informations reçues ${when}. Nous réessayons automatiquement.`,
};
