// Measures DynamoDB endpoints that store data on disk: the programs dynoxide and dynalite, and dynalite as Milepost
// starts it. The endpoint runs in a separate process. Prints the medians of 3 runs with 32 concurrent requests.
//   npm install --no-save @dynoxide/linux-x64@1.2.1
//   npx node bench/endpoints/dynamodb.ts [dynoxide|dynalite|milepost]
import { nodeOptions } from '../../src/aws-local/endpoints/node-process.ts';
import { withFolder } from '../compare/folder.ts';
import { killed } from './dynamodb-kill.ts';
import { rates } from './dynamodb-rates.ts';
import { type Candidate, medians, print } from './support.ts';

const candidates: Candidate[] = [
  {
    name: 'dynoxide',
    command: (port, folder) => [
      'node_modules/@dynoxide/linux-x64/dynoxide',
      ...['serve', '--port', `${port}`, '--db-path', `${folder}/dynamodb.sqlite`],
    ],
  },
  {
    name: 'dynalite',
    command: (port, folder) => [
      process.execPath,
      ...['node_modules/dynalite/cli.js', '--host', '127.0.0.1', '--port', `${port}`],
      ...['--path', folder, '--createTableMs', '0'],
    ],
  },
  {
    name: 'milepost',
    command: (port, folder) => [
      process.execPath,
      ...nodeOptions,
      'src/aws-local/dynamodb/dynalite-process.ts',
      JSON.stringify({ port, path: folder }),
    ],
  },
];

const columns: Record<string, Record<string, number | string>> = {};
for (const candidate of candidates.filter(({ name }) => (process.argv[2] ?? name) === name)) {
  const figures: Record<string, number | string> = await medians(3, () =>
    withFolder((folder) => rates(candidate, folder)),
  );
  const rounds = await withFolder(async (folder) => {
    const results = [];
    for (let round = 0; round < 5; round += 1) results.push(await killed(candidate, folder, round));
    return results;
  });
  const sum = (field: 'acknowledged' | 'lost' | 'problems') =>
    rounds.reduce((total, round) => total + round[field], 0);
  figures['killed with -9, 5 times: rows acknowledged'] = sum('acknowledged');
  figures['... lost, or written twice'] = sum('lost');
  figures['... wrong index entries'] = sum('problems');
  columns[candidate.name] = figures;
}
print(columns);
