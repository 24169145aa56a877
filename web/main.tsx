import { render } from 'preact';
import { App } from './app.tsx';
import { loginSettings } from './login/settings.ts';
import { startLogin } from './login/start.ts';

const login = loginSettings(document);
if (login) await startLogin(login);
render(<App />, document.getElementById('app')!);
