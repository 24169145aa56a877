import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page's heading, which is also the window's title. */
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
