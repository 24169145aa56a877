import { assetPath, pagePath } from '../../src/pages/page-path.ts';

/**
 * The code of a CloudFront Function in front of the bucket: every page is index.html, which finds out
 * by its address what to show; files are what they are, and there is nothing else. An error page of
 * the distribution would do the first too, and would also make HTML of what the API says it has not.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export const pageFunction = `function handler(event) {
  var request = event.request;
  if (${String(assetPath)}.test(request.uri)) return request;
  if (${String(pagePath)}.test(request.uri)) {
    request.uri = '/index.html';
    return request;
  }
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: { 'content-type': { value: 'text/plain; charset=utf-8' } },
    body: { encoding: 'text', data: 'There is nothing at this address. The pages begin at /\\n' },
  };
}
`;
