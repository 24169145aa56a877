import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';

const version = '2.6.1';

/** The Maven build file of a project whose only dependency is DynamoDB Local. */
const build = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>milepost</groupId><artifactId>compare</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`;

/**
 * Installs DynamoDB Local with Maven and starts it in memory. The license of DynamoDB Local allows its use but not its
 * distribution.
 */
export async function startDynamoDbLocal(): Promise<{ url: string; close: () => void }> {
  const folder = join(tmpdir(), `milepost-dynamodb-local-${version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pom.xml'), build);
  const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
  await promisify(execFile)('mvn', ['-q', '-B', ...copy], { cwd: folder });
  const port = await freePort();
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const options = ['-inMemory', '-disableTelemetry', '-port', `${port}`];
  const words = ['-Djava.library.path=lib', '-cp', 'lib/*', main, ...options];
  const child = spawn('java', words, { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    const isListening = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isListening) return { url, close: () => void child.kill() };
    await sleep(100);
  }
  throw new Error(`DynamoDB Local exited with status ${child.exitCode}.`);
}
