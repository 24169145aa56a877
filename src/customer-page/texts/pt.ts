import { isOneOClock, type Texts } from './texts.ts';

export const pt: Texts = {
  // The article agrees with the hour: "à 1:05", but "às 17:05".
  clock: (time) => `${isOneOClock(time) ? 'à' : 'às'} ${time}`,
  // Without a preposition, because its form would depend on the gender of the weekday.
  onDate: (date) => date.replace(/\b1 de /, '1º de '),
  at: (day, time) => `${day} ${time}`,
  expected: (day) => `previsto para ${day}`,
  expectedBy: (day, time) => `previsto para ${day} até ${time}`,
  wasExpected: (day) => `estava previsto para ${day}`,
  wasExpectedBy: (day, time) => `estava previsto para ${day} até ${time}`,
  likely: (day) => `provavelmente ${day}`,
  states: {
    reached: 'concluído',
    current: 'próxima etapa',
    pending: 'pendente',
    late: 'atrasado',
    skipped: 'não é necessário',
  },
  reference: 'Referência',
  progress: 'Progresso',
  noUpdates: 'Ainda não há novidades',
  updated: (when) => `Última atualização: ${when}.`,
  final: 'Este é o status final.',
  updatesAutomatically: 'Este status é atualizado automaticamente.',
  withoutScript: 'Datas e horários em UTC. Recarregue a página para ver as novidades.',
  loading: 'Carregando o status…',
  notFound: 'Este status não está disponível. O link está incompleto ou não é mais válido.',
  expired: 'Este link expirou. Peça um novo ao remetente.',
  unreachable: 'Não foi possível carregar o status agora. Continuaremos tentando.',
  stale: (when) =>
    `Não foi possível atualizar agora. Último status recebido: ${when}. Continuaremos tentando.`,
};
