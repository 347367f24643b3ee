import { EllipsisVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { IconButton } from './button.tsx';

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  readonly isDanger?: boolean;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/** Below the button, aligned to its end; above it where there is no room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRtl = getComputedStyle(button).direction === 'rtl';
  const left = isRtl ? at.left : at.right - width;
  const below = at.bottom + GAP_PX;
  menu.style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))}px`;
  menu.style.top = `${below + height > innerHeight ? at.top - height - GAP_PX : below}px`;
}

/**
 * Further actions behind one button. A native popover closes on Escape and on outside clicks; a library for
 * it weighs half of the first screen's budget.
 */
export function ActionMenu({
  label,
  actions,
  icon = <EllipsisVertical size={18} aria-hidden />,
}: {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly actions: readonly MenuAction[];
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.findIndex((item) => item.matches(':focus'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length]?.focus();
  };
  return (
    <>
      <IconButton ref={button} label={label} icon={icon} aria-haspopup="menu" popoverTarget={id} />
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          if (newState !== 'open' || menu.current === null || button.current === null) return;
          place(menu.current, button.current);
          items()[0]?.focus();
        }}
        className="fixed inset-auto m-0 min-w-44 rounded-card border border-line bg-surface p-1 text-ink shadow-lg"
      >
        {actions.map(({ label: name, icon: sign, run, isDanger }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              menu.current?.hidePopover();
              run();
            }}
            className={`flex min-h-9 w-full items-center gap-2 rounded-md px-3 text-start text-body hover:bg-sunken focus:bg-sunken focus:outline-none pointer-coarse:min-h-11 ${isDanger ? 'text-fail' : ''}`}
          >
            {sign}
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
