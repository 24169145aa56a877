import { messageOf } from '../common/message-of.ts';
import { type EventSourceReader, processingProblem } from '../stores/event-source-reader.ts';

/** An event source mapping that does not read its stream or cannot invoke its function. */
export interface FaultyEventSource {
  readonly id: string;
  readonly reason: string;
}

/**
 * Finds the event source mappings that do not read their stream or cannot invoke their function. A mapping that cannot
 * be checked also counts as faulty. Never throws an error.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html
 */
export async function findFaultyEventSources(
  reader: EventSourceReader,
  ids: readonly string[],
): Promise<FaultyEventSource[]> {
  const reasons = await Promise.all(ids.map((id) => reasonOf(reader, id)));
  return ids.flatMap((id, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [{ id, reason }];
  });
}

async function reasonOf(reader: EventSourceReader, id: string): Promise<string | undefined> {
  try {
    const condition = await reader.read(id);
    if (!condition) return 'the mapping does not exist';
    const { state, lastProcessingResult } = condition;
    if (state !== 'Enabled') return `the state is ${state}`;
    return lastProcessingResult.startsWith(processingProblem) ? lastProcessingResult : undefined;
  } catch (error) {
    return `the mapping cannot be read: ${messageOf(error)}`;
  }
}
