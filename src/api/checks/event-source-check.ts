import { processingProblem } from '../../stores/event-source-reader.ts';
import { type Check, failed, ok, warning } from './check.ts';
import type { Consumer, Installation } from './installation.ts';

const waiting = {
  dispatcher: 'events wait on the stream',
  publisher: 'notifications wait on their stream',
  counter: 'counts of instances are not updated',
  archiver: 'the archive is missing new commits',
} as const satisfies Record<Consumer['name'], string>;

const source = {
  dispatcher: 'the stream',
  publisher: 'the notification stream',
  counter: 'the changes to instances',
  archiver: 'new commits',
} as const satisfies Record<Consumer['name'], string>;

/** The states of a mapping that will soon read its stream. */
const starting: Readonly<Record<string, string>> = {
  Creating: 'being created',
  Enabling: 'being enabled',
  Updating: 'being updated',
};

/** The states of a mapping that has stopped reading its stream or is about to stop. */
const stopped: Readonly<Record<string, string>> = {
  Disabling: 'being disabled',
  Disabled: 'disabled',
  Deleting: 'being deleted',
};

/** Checks that an event source mapping reads its stream and that its latest batch succeeded. */
export function eventSourceCheck(
  { name, mapping, functionName, logGroup }: Consumer,
  { mappings, awsCommand, monitoring }: Installation,
): Check {
  return {
    id: name,
    async run() {
      const status = await mappings.read(mapping);
      if (!status)
        return failed(
          `the event source mapping ${mapping} does not exist, so ${waiting[name]}`,
          awsCommand(`aws lambda list-event-source-mappings --function-name ${functionName}`),
        );
      const { state, lastProcessingResult: result } = status;
      if (starting[state] !== undefined)
        return warning(
          `its event source mapping is ${starting[state]}; wait a minute and check again`,
        );
      if (state !== 'Enabled')
        return failed(
          `its event source mapping is ${stopped[state] ?? state}, so ${waiting[name]}`,
          awsCommand(`aws lambda update-event-source-mapping --uuid ${mapping} --enabled`),
        );
      if (result.startsWith(processingProblem))
        return monitoring
          ? failed(
              `its latest batch failed: ${result}`,
              awsCommand(`aws logs tail ${logGroup} --since 15m`),
            )
          : failed(`its latest batch failed: ${result}; see the log of the service`);
      return ok(
        `it reads ${source[name]}; ${result === 'OK' ? 'its latest batch succeeded' : 'it has received no records recently'}`,
      );
    },
  };
}
