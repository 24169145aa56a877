// Measures two Kinesis endpoints that store data on disk. The endpoint runs in a separate process.
// Prints the medians of 3 runs with 4 shards.
//   npm install --no-save kinesis-local@0.6.2
//   npx node bench/endpoints/kinesis.ts [kinesalite|kinesis-local]

import { withFolder } from '../compare/folder.ts';
import { killed } from './kinesis-kill.ts';
import { rates, resharded } from './kinesis-rates.ts';
import { type Candidate, medians, print } from './support.ts';

const durations = [
  ...['CREATE_STREAM', 'SPLIT_SHARD', 'MERGE_SHARDS', 'UPDATE_SHARD_COUNT', 'DELETE_STREAM'],
].map((name) => [`${name}_DURATION`, '0ms'] as const);

const candidates: Candidate[] = [
  {
    name: 'kinesalite',
    command: (port, folder) => [
      process.execPath,
      ...['node_modules/kinesalite/cli.js', '--port', `${port}`, '--path', folder],
      ...['--createStreamMs', '0', '--updateStreamMs', '0', '--shardLimit', '1000'],
    ],
  },
  {
    name: 'kinesis-local',
    command: () => [process.execPath, 'node_modules/kinesis-local/main.js'],
    variables: (port, folder) => ({
      ...Object.fromEntries(durations),
      KINESIS_MOCK_PLAIN_PORT: `${port}`,
      KINESIS_MOCK_TLS_PORT: `${port + 1}`,
      KINESIS_MOCK_CERT_PATH: 'node_modules/kinesis-local/server.json',
      SHOULD_PERSIST_DATA: 'true',
      PERSIST_PATH: folder,
      PERSIST_INTERVAL: '1s',
      LOG_LEVEL: 'ERROR',
      SHARD_LIMIT: '1000',
    }),
  },
];

const columns: Record<string, Record<string, number | string>> = {};
for (const candidate of candidates.filter(({ name }) => (process.argv[2] ?? name) === name)) {
  const figures: Record<string, number | string> = await medians(3, () =>
    withFolder((folder) => rates(candidate, folder)),
  );
  figures['split and merge: parents readable, then closed'] = await withFolder((folder) =>
    resharded(candidate, folder),
  );
  columns[candidate.name] = figures;
  const rounds = await withFolder(async (folder) => {
    const results = [];
    for (let round = 0; round < 5; round += 1) results.push(await killed(candidate, folder, round));
    return results;
  }).catch((error: Error) => error);
  if (rounds instanceof Error) {
    figures['killed with -9, 5 times: records acknowledged'] = rounds.message;
    continue;
  }
  const sum = (field: 'acknowledged' | 'lost' | 'twice') =>
    rounds.reduce((total, round) => total + round[field], 0);
  const every = (field: 'iterators' | 'increasing') =>
    rounds.every((round) => round[field]) ? 'yes' : 'no';
  figures['killed with -9, 5 times: records acknowledged'] = sum('acknowledged');
  figures['... lost'] = sum('lost');
  figures['... duplicated'] = sum('twice');
  figures['... iterators keep their position'] = every('iterators');
  figures['... sequence numbers still increase'] = every('increasing');
}
print(columns);
