import { Component, type ComponentChildren, type ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { useReachable } from './api/reachable.ts';
import { LoginPage } from './login/login-page.tsx';
import { useSession } from './login/session.ts';
import { SignedIn } from './login/signed-in.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { SearchButton } from './parts/search/search-button.tsx';
import { Empty, Failed } from './parts/states.tsx';
import { Title } from './parts/title.tsx';

/* Load the code of these pages when the user first opens them. */
const InstancesPage = later(async () => (await import('./pages/instances.tsx')).InstancesPage);
const InstancePage = later(async () => (await import('./pages/instance.tsx')).InstancePage);
const DeadLettersPage = later(
  async () => (await import('./pages/dead-letters.tsx')).DeadLettersPage,
);
const ModelsPage = later(async () => (await import('./pages/models.tsx')).ModelsPage);
const ModelPage = later(async () => (await import('./pages/model.tsx')).ModelPage);

/**
 * Creates a page whose code is loaded when the page is first opened. If loading fails, for example because the service
 * cannot be reached, the page shows the error.
 */
function later(load: () => Promise<ComponentType>): ComponentType {
  return lazy(() =>
    load().catch((error: unknown) => () => {
      throw new Error('Cannot load the code of this page. Check your connection.', {
        cause: error,
      });
    }),
  );
}

/** Matches the links that the router handles. Links to the API are opened by the browser itself. */
const scope = /^\/(?!api(?:\/|$))/;

/** Renders the header and the page that the address selects. */
export function App() {
  return (
    <LocationProvider scope={scope}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Unreachable />
        <Pages />
      </main>
    </LocationProvider>
  );
}

function Pages() {
  const session = useSession();
  if (session.kind === 'out') return <LoginPage session={session} />;
  return (
    <Guard url={useLocation().url}>
      <Router onRouteChange={toTop}>
        <Route path="/" component={OverviewPage} />
        <Route path="/instances" component={InstancesPage} />
        <Route path="/instances/:model/:transaction+" component={InstancePage} />
        <Route path="/dead-letters" component={DeadLettersPage} />
        <Route path="/models" component={ModelsPage} />
        <Route path="/models/:id" component={ModelPage} />
        <Route default component={NotFoundPage} />
      </Router>
    </Guard>
  );
}

/** Moves the focus to the new page so that screen readers read the page from the start. */
function toTop(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}

const places = [
  ['/', 'Overview'],
  ['/instances', 'Instances'],
  ['/dead-letters', 'Dead letters'],
  ['/models', 'Models'],
] as const;

function Header() {
  const { path } = useLocation();
  const isIn = (to: string) => path === to || (to !== '/' && path.startsWith(`${to}/`));
  return (
    <header class="top">
      <a class="brand" href="/" aria-label="Milepost: overview">
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path d="M5 15V3.5a3 3 0 0 1 6 0V15z" />
          <path class="line" d="M5 7.5h6" />
        </svg>
        Milepost
      </a>
      <nav aria-label="Milepost pages">
        {places.map(([to, text]) => (
          <a key={to} href={to} aria-current={isIn(to) ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <div class="tools">
        <SignedInSearch />
        <SignedIn />
      </div>
    </header>
  );
}

/** The search button; nothing while the user is logged out. */
function SignedInSearch() {
  return useSession().kind === 'out' ? null : <SearchButton />;
}

function Unreachable() {
  const reachable = useReachable();
  return (
    <div role="status">
      {reachable ? null : (
        <p class="banner">
          Cannot reach the service. This page shows the last known state and keeps retrying.
        </p>
      )}
    </div>
  );
}

function NotFoundPage() {
  return (
    <>
      <Title text="Page not found" />
      <Empty title="There is no page at this address">
        <p>
          Go to the <a href="/">overview</a>, or <a href="/instances">search for an instance</a>.
        </p>
      </Empty>
    </>
  );
}

interface GuardState {
  readonly url: string;
  readonly error?: Error | undefined;
}

/** Shows an error if a page fails to render, and renders again when the address changes. */
class Guard extends Component<
  { readonly url: string; readonly children: ComponentChildren },
  GuardState
> {
  override state: GuardState = { url: this.props.url };

  static override getDerivedStateFromProps(
    { url }: GuardState,
    state: GuardState,
  ): Partial<GuardState> {
    return url === state.url ? {} : { url, error: undefined };
  }

  static override getDerivedStateFromError(error: unknown): Partial<GuardState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // The router cannot decode an address that ends within an escape, such as `%C3`.
    if (error instanceof URIError) return <NotFoundPage />;
    return <Failed failure={error} retry={() => window.location.reload()} />;
  }
}
