import type { ComponentProps, ReactNode } from 'react';

const LOOKS = {
  primary: 'bg-accent text-on-accent border-accent hover:brightness-110 font-medium',
  plain: 'bg-surface text-ink border-line hover:bg-sunken',
  quiet: 'border-transparent hover:bg-sunken',
  danger: 'bg-surface text-fail border-fail/50 hover:bg-fail-soft font-medium',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof LOOKS;
  readonly icon?: ReactNode;
}

export function Button({
  look = 'plain',
  icon,
  className = '',
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex min-h-9 items-center justify-center gap-2 rounded-card border px-3 py-1 text-body transition-colors duration-100 pointer-coarse:min-h-11 disabled:opacity-60 ${LOOKS[look]} ${className}`}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly label: string;
  readonly icon: ReactNode;
}

/** An icon button; `label` is its accessible name. */
export function IconButton({ label, icon, className = '', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`inline-grid size-9 shrink-0 place-items-center rounded-card text-quiet transition-colors duration-100 hover:bg-sunken hover:text-ink pointer-coarse:size-11 disabled:opacity-60 ${className}`}
      {...rest}
    >
      {icon}
    </button>
  );
}
