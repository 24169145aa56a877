import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeQuery } from '../../../../src/aws/client/transport/query.ts';
import { type Credentials, Signer } from '../../../../src/aws/client/transport/signature.ts';
import { Sha256 } from '../../../support/sha256.ts';

const scopes = [
  { region: 'us-east-1', service: 'dynamodb' },
  { region: 'eu-central-1', service: 'lambda' },
];
const signers = scopes.map((scope) => new Signer(scope));
const word = fc.stringMatching(/^[A-Za-z0-9/+=]{1,40}$/);
const credentials: fc.Arbitrary<Credentials> = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
  secretAccessKey: word,
  sessionToken: fc.option(word, { nil: undefined }),
});

it('Signer computes the same signature as the AWS SDK', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1),
      fc.constantFrom('DELETE' as const, 'GET' as const, 'POST' as const),
      credentials,
      fc.date({ min: new Date('2001-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }),
      fc.constantFrom('/', `/2015-03-31/functions/${encodeURIComponent('arn:aws:é')}/invocations`),
      fc.dictionary(
        fc.string({ unit: fc.constantFrom('a', 'A', '1', '=', '&', 'é', ' ', '!'), minLength: 1 }),
        fc.string(),
        {
          maxKeys: 3,
          noNullPrototype: true,
        },
      ),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[\w.]{1,30}$/),
      async (which, method, who, signingDate, path, query, body, target) => {
        const host = 'localhost:4566';
        const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
        const ours = signers[which]!.sign(
          { method, host, path, query: encodeQuery(query), headers, body },
          who,
          signingDate.getTime(),
        );
        const reference = new SignatureV4({
          ...scopes[which]!,
          credentials: who,
          sha256: Sha256 as never,
          applyChecksum: false,
        });
        const request = {
          method,
          protocol: 'https:',
          hostname: 'localhost',
          path,
          query,
          headers: { ...headers, host },
          body,
        };
        const theirs = await reference.sign(request, { signingDate });
        expect(ours).toEqual(theirs.headers);
      },
    ),
    { numRuns: 300 },
  );
});
