import { KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** A client of Kinesis over HTTP/1.1: its own choice, HTTP/2, pays only for many requests at once. */
export const kinesisClient = () => new KinesisClient({ requestHandler: new NodeHttpHandler() });
