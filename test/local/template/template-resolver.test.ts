import { describe, expect, it } from 'vitest';
import { type Template, TemplateError } from '../../../src/local/template/template.ts';
import { TemplateResolver } from '../../../src/local/template/template-resolver.ts';

const place = { stackName: 'Milepost', region: 'us-east-1', accountId: '000000000000' };
const template: Template = {
  Resources: {
    Orders: { Type: 'AWS::DynamoDB::Table' },
    Events: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'milepost-events' } },
    Consumer: {
      Type: 'AWS::Kinesis::StreamConsumer',
      Properties: { StreamARN: { 'Fn::GetAtt': ['Events', 'Arn'] } },
    },
    Named: {
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: { 'Fn::Join': ['-', [{ Ref: 'AWS::StackName' }, 'fn']] } },
    },
    Failures: { Type: 'AWS::S3::Bucket' },
    Role: { Type: 'AWS::IAM::Role' },
  },
};
const resolver = new TemplateResolver(template, place);
const value = (of: unknown) => resolver.resolve(of);

describe('resolve', () => {
  it('returns values without intrinsic functions unchanged', () => {
    const plain = { a: [1, 'x', null, true, { Ref: 1, other: 2 }], b: {}, c: [] };
    expect(value(plain)).toEqual({ a: [1, 'x', null, true, { Ref: 1, other: 2 }], b: {}, c: [] });
  });

  it.each<[of: unknown, expected: unknown]>([
    [{ Ref: 'Events' }, 'milepost-events'],
    [{ Ref: 'Orders' }, 'Milepost-Orders'],
    [{ Ref: 'Named' }, 'Milepost-fn'],
    [{ Ref: 'Role' }, 'Milepost-Role'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ Ref: 'AWS::AccountId' }, '000000000000'],
    [{ Ref: 'AWS::StackName' }, 'Milepost'],
    [{ Ref: 'AWS::Partition' }, 'aws'],
    [{ Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    [
      { 'Fn::GetAtt': ['Orders', 'Arn'] },
      'arn:aws:dynamodb:us-east-1:000000000000:table/Milepost-Orders',
    ],
    [
      { 'Fn::GetAtt': ['Events', 'Arn'] },
      'arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
    ],
    [
      { 'Fn::GetAtt': ['Consumer', 'ConsumerARN'] },
      'arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
    ],
    [
      { 'Fn::GetAtt': ['Named', 'Arn'] },
      'arn:aws:lambda:us-east-1:000000000000:function:Milepost-fn',
    ],
    [{ 'Fn::GetAtt': ['Failures', 'Arn'] }, 'arn:aws:s3:::Milepost-Failures'],
    [{ 'Fn::Join': ['/', ['a', { Ref: 'Events' }, 7]] }, 'a/milepost-events/7'],
    [{ 'Fn::Join': ['', []] }, ''],
    [
      { 'Fn::Sub': '${AWS::Region}/${Events}/${Events.Arn}' },
      'us-east-1/milepost-events/arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
    ],
    [{ 'Fn::Sub': 'none $here {or} ${!Literal}' }, 'none $here {or} ${Literal}'],
    [
      { 'Fn::Sub': ['${Mine}:${Events}', { Mine: { Ref: 'AWS::Region' } }] },
      'us-east-1:milepost-events',
    ],
    [[{ deep: { Ref: 'Events' } }], [{ deep: 'milepost-events' }]],
  ])('resolves %j', (of, expected) => {
    expect(value(of)).toEqual(expected);
  });

  it.each<[of: unknown, named: string]>([
    [{ Ref: 'Nobody' }, 'no resource Nobody'],
    [{ Ref: 'AWS::StackId' }, 'no resource AWS::StackId'],
    [{ 'Fn::GetAtt': ['Nobody', 'Arn'] }, 'no resource Nobody'],
    [{ 'Fn::GetAtt': ['Events', 'StreamArn'] }, 'attribute StreamArn of Events'],
    [
      { 'Fn::GetAtt': ['Role', 'Arn'] },
      'the ARN of Role is not supported on this machine: its type is AWS::IAM::Role',
    ],
    [{ 'Fn::Sub': '${Nobody}' }, 'no resource Nobody'],
    [{ 'Fn::Sub': '${Events.Consumer.Arn}' }, 'attribute Consumer.Arn of Events'],
    [{ 'Fn::Select': [0, []] }, 'uses Fn::Select'],
    [{ a: [{ 'Fn::ImportValue': 'x' }] }, 'uses Fn::ImportValue'],
  ])('rejects %j and names the unsupported part', (of, named) => {
    expect(() => value(of)).toThrow(TemplateError);
    expect(() => value(of)).toThrow(named);
  });
});

describe('physical names', () => {
  it('differ for long logical ids with the same prefix', () => {
    const start = `TrackerModels${'x'.repeat(64)}Function`;
    const Resources = {
      [`${start}1`]: { Type: 'AWS::Lambda::Function' },
      [`${start}2`]: { Type: 'AWS::Lambda::Function' },
    };
    const long = new TemplateResolver({ Resources }, place);
    const names = Object.keys(Resources).map((id) => long.physicalName(id));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^Milepost-TrackerModelsx[\w-]{1,41}$/);
    expect(long.arnOf(`${start}1`)).toContain(`:function:${names[0]}`);
  });
});
