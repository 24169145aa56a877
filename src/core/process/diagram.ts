import type { Diagram } from '../model/description.ts';
import { milestoneReachedType, type ProcessDeclaration } from './declaration.ts';
import { cancelledStatus, openStatus } from './statuses.ts';

/**
 * Builds the diagram of a process. Each status leads to the next status and to later statuses if the milestones in
 * between are optional. If the process can be canceled, each status before the last required milestone also leads to
 * `Cancelled`.
 */
export function processDiagram({ milestones, cancelOn }: ProcessDeclaration): Diagram {
  const end = milestones.findLastIndex(({ optional }) => !optional);
  const statuses = [openStatus, ...milestones.map(({ label }) => label)];
  // `statuses[from]` is the status before `milestones[from]` is reached.
  const onward = statuses.flatMap((status, from) => {
    const rest = milestones.slice(from);
    const firstNeeded = rest.findIndex(({ optional }) => !optional);
    const next = firstNeeded < 0 ? rest : rest.slice(0, firstNeeded + 1);
    return next.map(({ label, on }) => ({ from: status, to: label, label: words(on) }));
  });
  const cancelling =
    cancelOn === undefined
      ? []
      : statuses
          .slice(0, end + 1)
          .map((from) => ({ from, to: cancelledStatus, label: words(cancelOn) }));
  const nodes = cancelOn === undefined ? statuses : [...statuses, cancelledStatus];
  return {
    nodes: nodes.map((status) => ({ id: status, label: status })),
    edges: [...onward, ...cancelling],
  };
}

const words = (type: string = milestoneReachedType) => type.replaceAll('.', ' ');
