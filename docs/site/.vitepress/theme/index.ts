// The theme without its web fonts, which would add downloads: the site uses the fonts of the reader's system.
import DefaultTheme from 'vitepress/theme-without-fonts';
import Mermaid from './Mermaid.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Mermaid', Mermaid),
};
