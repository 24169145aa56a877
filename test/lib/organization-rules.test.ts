import { Aspects, type IAspect } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { entry, newTracker } from './tracker.ts';

/* The settings that docs/how-to/follow-organization-rules.md applies to a tracker from outside. */

/** Returns the template of a tracker with all functions and log groups, after an aspect has visited it. */
function templateWith(aspect: IAspect): Template {
  const { stack, tracker } = newTracker({
    archive: true,
    canary: true,
    customerPages: true,
    personalData: true,
    tracing: true,
  });
  tracker.addModel('orders', { entry });
  Aspects.of(stack).add(aspect);
  return Template.fromStack(stack);
}

it('an aspect connects every function to a VPC and permits its role to do so', () => {
  const subnetIds = ['subnet-1'];
  const securityGroupIds = ['sg-1'];
  const policy = 'service-role/AWSLambdaVPCAccessExecutionRole';
  const template = templateWith({
    visit(node) {
      if (!(node instanceof lambda.Function)) return;
      (node.node.defaultChild as lambda.CfnFunction).vpcConfig = { subnetIds, securityGroupIds };
      node.role?.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName(policy));
    },
  });
  template.allResourcesProperties('AWS::Lambda::Function', {
    VpcConfig: { SubnetIds: subnetIds, SecurityGroupIds: securityGroupIds },
  });
  const permitted = Object.values(template.findResources('AWS::IAM::Role')).filter((role) =>
    JSON.stringify(role).includes(policy),
  );
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  expect(permitted).toHaveLength(functions.length);
});

it('an aspect encrypts every log group with a key', () => {
  const kmsKeyId = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  const template = templateWith({
    visit(node) {
      if (node instanceof CfnLogGroup) node.kmsKeyId = kmsKeyId;
    },
  });
  template.allResourcesProperties('AWS::Logs::LogGroup', { KmsKeyId: kmsKeyId });
});

it('every role has the permissions boundary of the stack', () => {
  const { stack, tracker } = newTracker({ archive: true, personalData: true });
  tracker.addModel('orders', { entry });
  const boundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'developer-boundary');
  PermissionsBoundary.of(stack).apply(boundary);
  Template.fromStack(stack).allResourcesProperties('AWS::IAM::Role', {
    PermissionsBoundary: stack.resolve(boundary.managedPolicyArn),
  });
});
