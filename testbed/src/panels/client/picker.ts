import { element } from './parts.ts';

interface PickerOptions {
  readonly names: readonly string[];
  readonly list: 'listbox' | 'menu';
  readonly into: Element;
  readonly className?: string;
  readonly onChoose?: (name: string) => void;
}

/**
 * A button with a list to choose its value from; a choice or Escape closes the list. One list is open at a
 * time.
 */
export function createPicker(button: HTMLElement, options: PickerOptions): void {
  const { names, list: role, into, className, onChoose } = options;
  button.textContent = names[0] ?? '';
  button.addEventListener('click', () => {
    const list = element('div', { role, tabindex: '-1', ...(className && { class: className }) });
    for (const name of names) {
      const option =
        role === 'menu'
          ? element('div', { role: 'menuitem' }, name)
          : element('div', { role: 'option', 'aria-selected': String(name === button.textContent) }, name);
      option.addEventListener('click', () => {
        button.textContent = name;
        list.remove();
        onChoose?.(name);
      });
      list.append(option);
    }
    list.addEventListener('keydown', ({ key }) => key === 'Escape' && list.remove());
    document.querySelector(`[role=${role}]`)?.remove();
    into.append(list);
  });
}
