import { shellWord } from '../../src/common/shell-word.ts';
import type { Operation } from './openapi.ts';

/** The address at which `npm start` serves the API. */
const origin = 'http://127.0.0.1:4500';

/** Returns the curl command of an operation, with the examples of its parameters and its body. */
export function curlOf({ method, path, parameters, requestBody }: Operation): string {
  const examples = parameters.flatMap(({ name, in: place, schema }) =>
    schema?.examples
      ? [{ name, place, value: encodeURIComponent(String(schema.examples[0])) }]
      : [],
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const example = examples.find((each) => each.place === 'path' && each.name === name);
    if (!example) throw new Error(`${method} ${path}: ${whole} has no example`);
    return example.value;
  });
  const query = examples
    .filter(({ place }) => place === 'query')
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
  const url = `${origin}${filled}${query === '' ? '' : `?${query}`}`;
  const body = requestBody?.content?.['application/json']?.example;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d ${shellWord(JSON.stringify(body, undefined, 2))}`,
        ]),
  ].join(' \\\n  ');
}
