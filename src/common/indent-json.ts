const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The maximum depth of JSON that is indented. For deeper JSON, most of the output would be indentation. */
const deepest = 100;

/**
 * Formats JSON on several lines, indented by two spaces. Unlike `JSON.parse` and `JSON.stringify`, it leaves every
 * number and key unchanged and supports any depth. JSON that is nested too deeply is returned on one line, without
 * white space.
 */
export function indentJson(json: string): string {
  const all = json.match(tokens) ?? [];
  let depth = 0;
  let most = 0;
  const line = () => `\n${'  '.repeat(Math.min(depth, deepest))}`;
  const indented = all.map((token, i) => {
    switch (token) {
      case '{':
      case '[':
        most = Math.max(most, ++depth);
        return isClosing(all[i + 1]) ? token : token + line();
      case '}':
      case ']':
        depth--;
        return isOpening(all[i - 1]) ? token : line() + token;
      case ',':
        return token + line();
      case ':':
        return ': ';
      default:
        return token;
    }
  });
  return (most > deepest ? all : indented).join('');
}

const isOpening = (token: string | undefined) => token === '{' || token === '[';
const isClosing = (token: string | undefined) => token === '}' || token === ']';
