import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** The heading of a page, which is also the window title. */
export function Title({
  text,
  children,
}: {
  readonly text: string;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${text} · Milepost`;
  }, [text]);
  return (
    <div class="title">
      <h1>{text}</h1>
      {children}
    </div>
  );
}
