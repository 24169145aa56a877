import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  BucketDeployment,
  CacheControl,
  type ISource,
  Source,
} from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { packageFolder } from '../../src/package-folder.ts';
import { insertLoginTag, type LoginSettings } from '../../src/pages/insert-login-tag.ts';
import { logicalId } from '../logical-id.ts';
import { functionDefaults, type LogProps } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';

export interface PageFilesProps extends LogProps {
  /** The folder with the built pages. */
  readonly folder: string;
  readonly login: LoginSettings;
  readonly encryptionKey?: IKey;
}

/** Where `npm run build` puts the pages. */
export const builtPages = join(packageFolder, 'dist', 'web');

/**
 * In MB. A stack has one function for all deployments of files with the same memory: with a size of
 * its own, this one is not shared with others, which need other permissions.
 */
const copierMemory = 320;

/**
 * The files of the pages, in a bucket that only CloudFront reads.
 *
 * A file's name says what is in it, so browsers keep it for ever; files of earlier deployments stay,
 * for windows that are still open. index.html names the others and says how one logs in: it comes
 * last, and is asked for again each time.
 */
export class PageFiles extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: PageFilesProps) {
    super(scope, id);
    const { folder, login, encryptionKey } = props;
    const index = join(folder, 'index.html');
    if (!existsSync(index)) throw new Error(`${folder} has no pages: run npm run build`);
    this.bucket = privateBucket(this, 'Bucket', {
      encryptionKey,
      removalPolicy: props.removalPolicy,
      unlogged: 'Only CloudFront reads it, and its own access logs say for whom.',
    });

    const { role, logGroup } = functionDefaults(this, props);
    grantWrite(role, this.bucket);
    encryptionKey?.grantEncrypt(role);
    const shared = {
      destinationBucket: this.bucket,
      prune: false,
      memoryLimit: copierMemory,
      logGroup,
      // Of itself the deployment would have its role read all assets of the account, and delete.
      role: role.withoutPolicyUpdates(),
    };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      sources: [readBy(role, Source.asset(folder, { exclude: ['index.html'] }))],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const html = insertLoginTag(readFileSync(index, 'utf8'), login);
    const start = new BucketDeployment(this, 'Index', {
      ...shared,
      sources: [readBy(role, Source.data('index.html', html))],
      contentType: 'text/html; charset=utf-8',
      cacheControl: [CacheControl.noCache()],
    });
    assets.node.addDependency(role);
    start.node.addDependency(assets);
    acknowledgeCopier(this);
  }
}

/** No more than copying takes: to list the bucket, and to write the files that there are. */
function grantWrite(role: Role, bucket: Bucket): void {
  const assets = 'assets/*';
  role.addToPolicy(
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('index.html'), bucket.arnForObjects(assets)],
    }),
  );
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(bucket)}.Arn>/${assets}]`,
    reason:
      'The names of these files say what is in them, and so are others with each build. The pattern ' +
      'covers them and nothing else.',
  });
}

/** A source that `role` may read, and nothing else in the bucket that it is in. */
function readBy(role: Role, source: ISource): ISource {
  return {
    bind(scope, context) {
      const config = source.bind(scope, context);
      const resources = [config.bucket.arnForObjects(config.zipObjectKey)];
      role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources }));
      return config;
    },
  };
}

function acknowledgeCopier(scope: Construct): void {
  const copier = Stack.of(scope).node.children.find(
    ({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment') && node.id.endsWith(`${copierMemory}MiB`),
  );
  if (!copier)
    throw new Error('the CDK names the function of a deployment of files in another way');
  Validations.of(copier).acknowledge({
    id: 'AwsSolutions-L1',
    reason:
      'The function that copies the files is the CDK’s own, and so is the choice of its runtime, which ' +
      'a newer CDK moves on.',
  });
}
