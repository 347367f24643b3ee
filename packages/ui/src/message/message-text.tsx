import { lazy, memo, Suspense } from 'react';

const load = () => import('./markdown-view.tsx').then(({ MarkdownView }) => ({ default: MarkdownView }));
const MarkdownView = lazy(load);

/** Fetches the renderer before the first message needs it. */
export const preloadMarkdown = (): void => void load().catch(() => {});

const MARKS = /[*_`#[\]<>|~-]|\d\.|https?:|\n\n/;

/** Markdown; plain text while the renderer loads or where nothing needs rendering. */
export const MessageText = memo(function MessageText({ text }: { readonly text: string }) {
  const plain = <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
  return (
    <div className="prose-body min-w-0 [overflow-wrap:anywhere]" dir="auto">
      {MARKS.test(text) ? (
        <Suspense fallback={plain}>
          <MarkdownView text={text} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
});
