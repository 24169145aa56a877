// Without the fonts that it would load: the reader's own are good.
import DefaultTheme from 'vitepress/theme-without-fonts';
import Mermaid from './Mermaid.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Mermaid', Mermaid),
};
