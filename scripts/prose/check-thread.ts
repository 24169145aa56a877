import { parentPort, workerData } from 'node:worker_threads';
import { installTools } from '../install-tools.ts';
import { extractProse } from './extract-prose.ts';
import type { Finding } from './finding.ts';
import { grammarChecker } from './grammar.ts';
import { checkStyle } from './style.ts';

/* A thread that checks the prose of the files in `workerData`, and posts its findings. */
const checkGrammar = await grammarChecker(installTools());
const findings: Finding[] = [];
for (const passage of (workerData as readonly string[]).flatMap(extractProse))
  findings.push(...checkStyle(passage), ...(await checkGrammar(passage)));
parentPort!.postMessage(findings);
