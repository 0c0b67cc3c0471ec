import { Dropdown, type DropdownProps } from '#web/ui/overlays/dropdown.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from './console-icons.ts'

/** The "…" menu of a row or a page. @param name with the object, such as 'Actions for Amogh Rao' */
export function RowMenu({ name, items }: { name: string; items: DropdownProps['items'] }) {
  if (items.length === 0) return null
  return (
    <Dropdown buttonClass="row-menu" name={name} end items={items} itemsWhenOpen>
      <Icon d={ICONS.more} strokeWidth={3} />
    </Dropdown>
  )
}
