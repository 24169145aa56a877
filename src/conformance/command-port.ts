import { basename, dirname, resolve } from 'node:path';
import { accountId, region } from '../aws-local/account.ts';
import type { FunctionDefinition } from '../aws-local/lambda/function-definition.ts';
import { linesOfLambda } from '../aws-local/lambda/invocation-log.ts';
import { LambdaHost } from '../aws-local/lambda/lambda-host.ts';
import { programFor } from '../aws-local/lambda/runtime-api/programs.ts';
import { MilepostError } from '../core/errors.ts';
import type { FunctionPort, FunctionResponse } from '../model-runtime/remote/function-port.ts';

/** A program that implements the Lambda Runtime API, or a handler in a Python module. */
export type Program = { readonly command: string } | { readonly python: string };

export interface ProgramOptions {
  /** The program's environment variables in addition to the variables that Lambda sets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutSeconds: number;
  /** Receives each line that the program writes. */
  readonly log: (line: string) => void;
}

const name = 'model';

/** A model function that runs as a program on this machine. Disposing of the port ends the program. */
export class CommandPort implements FunctionPort, AsyncDisposable {
  readonly #host: LambdaHost;

  /** @throws MilepostError `bad-request` if the program needs Python and `python3` is not on the PATH. */
  constructor(program: Program, { env, timeoutSeconds, log }: ProgramOptions) {
    const environment = Object.fromEntries(
      Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const definition = {
      ...('python' in program ? ofPython(program.python, env.PATH) : ofCommand(program.command)),
      name,
      arn: `arn:aws:lambda:${region}:${accountId}:function:${name}`,
      environment,
      timeoutSeconds,
      memoryMb: 1024,
    };
    this.#host = new LambdaHost({
      functions: [definition],
      runtimeEnvironment: { AWS_REGION: region },
      maximumEnvironments: 1,
      log: (line) => {
        if (line.trim() !== '' && !linesOfLambda.test(line)) log(line);
      },
    });
  }

  async invoke(question: string): Promise<FunctionResponse> {
    const { functionError, payload } = await this.#host.invoke({
      functionName: name,
      payload: question,
    });
    if (!functionError) return { kind: 'answered', text: payload };
    const { errorType = '', errorMessage = '' } = JSON.parse(payload) as Record<string, string>;
    return { kind: 'failed', error: errorType, message: errorMessage };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close();
  }
}

type Code = Pick<FunctionDefinition, 'runtime' | 'bootstrap' | 'codePath' | 'handler'>;

const ofCommand = (command: string): Code => ({
  runtime: 'provided.al2023',
  bootstrap: ['/bin/sh', '-c', command],
  codePath: resolve('.'),
  handler: '',
});

function ofPython(handler: string, path: string | undefined): Code {
  const codePath = resolve(dirname(handler));
  const program = programFor('python', codePath, path);
  if (program.kind !== 'program')
    throw new MilepostError('bad-request', 'python3 is not on the PATH; install Python 3');
  const { bootstrap } = program;
  return { runtime: 'python', bootstrap, codePath, handler: basename(handler) };
}
