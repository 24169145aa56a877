import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from '../slug.ts';

const pages = join(import.meta.dirname, '..', 'pages');
const { nav, sidebar } = JSON.parse(readFileSync(join(pages, 'navigation.json'), 'utf8'));

export default {
  lang: 'en',
  title: 'Milepost',
  description: 'Serverless process status tracking for AWS',
  srcDir: pages,
  outDir: '../../dist/docs',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  markdown: {
    // Links between pages use the anchors that GitHub generates, so the site generates the same ones.
    anchor: { slugify: slug },
    config(md) {
      const { code_inline: inlineCode, fence } = md.renderer.rules;
      // Vue must not evaluate braces in inline code. VitePress prevents this only in code blocks.
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index].attrSet('v-pre', '');
        return inlineCode(tokens, index, ...rest);
      };
      md.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index].info === 'mermaid'
          ? `<Mermaid code="${encodeURIComponent(tokens[index].content)}" />`
          : fence(tokens, index, ...rest);
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav,
  },
};
