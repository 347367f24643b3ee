import { isValidElement, type ReactNode } from 'react';
import Markdown, { type Components, defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';

const PLUGINS = [remarkGfm];

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

const COMPONENTS: Components = {
  pre({ children }) {
    const name = isValidElement<{ className?: string }>(children) ? children.props.className : undefined;
    const language = /language-(\S+)/.exec(name ?? '')?.[1];
    return <CodeBlock text={textOf(children).replace(/\n$/, '')} {...(language && { language })} />;
  },
  // Links open only when a person presses them.
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Shown as a link: loading a remote picture would tell its server who reads this.
  img: ({ src, alt }) =>
    typeof src === 'string' && src !== '' ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt || src}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
};

const SAFE_LINK = /^(https?:|mailto:)/i;

/** Raw HTML stays text, and links lead only to the web or to mail. */
export function MarkdownView({ text }: { readonly text: string }) {
  return (
    <Markdown
      remarkPlugins={PLUGINS}
      components={COMPONENTS}
      urlTransform={(url) => (SAFE_LINK.test(url) ? defaultUrlTransform(url) : '')}
    >
      {text}
    </Markdown>
  );
}
