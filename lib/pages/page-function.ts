import { assetPath, pagePath } from '../../src/pages/page-path.ts';

/**
 * The code of a CloudFront Function in front of the bucket. The function serves index.html for every page, and the
 * script in index.html selects the content by the address. Files are served unchanged, and other paths receive a 404
 * response. A custom error page of the distribution could also serve index.html, but it would replace the API's 404
 * responses with HTML.
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
    body: { encoding: 'text', data: 'There is no page at this address. The overview is at /\\n' },
  };
}
`;
